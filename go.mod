module copse

go 1.26
