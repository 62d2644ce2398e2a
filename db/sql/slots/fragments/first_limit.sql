-- What the class of job j declares of its first limit, if anything.
LEFT JOIN dray_classes l {index:PRIMARY} ON l.class_name = j.class_name AND l.position = 0
