module copse

go 1.26

// What npm brings is no part of the house, and some of it may be Go.
ignore ./web/node_modules

require github.com/alecthomas/kong v1.16.1
