// Registers the types of all kinds for every test, as the entry points of the program do.
import '../kinds.ts'
