-- What the class of the job j declares, beside j; it may be nothing.
LEFT JOIN dray_classes declared ON declared.class_name = j.class_name AND declared.position = 0
