module fieldroster.example/signing

go 1.19
