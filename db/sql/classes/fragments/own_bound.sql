-- How many losses a job of the class {it} survives, as the class declares; null when it does not.
(SELECT bound.max_losses FROM dray_classes bound
	WHERE bound.class_name = {it} AND bound.position = 0)
