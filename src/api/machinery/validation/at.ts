/** The path of a field. It is called only when the field is wrong, so that a valid object costs no strings. */
export type At = () => string
