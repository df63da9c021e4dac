// Kubernetes: sigs.k8s.io/json/internal/golang/encoding/json.UnmarshalTypeError
/** A value that does not fit its type, in the words of Kubernetes' decoder. The caller adds what was being decoded. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DecodeError'
  }
}
