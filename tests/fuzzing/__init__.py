"""What any input from outside must do: be read whole, or be refused with an error of ours. For tests and fuzzers."""
