module fieldroster.example/vectors

go 1.19

require fieldroster.example/signing v0.0.0

replace fieldroster.example/signing => ../../../examples/go
