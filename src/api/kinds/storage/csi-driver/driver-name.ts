import { type FieldError, invalid, required, tooLong } from '../../../machinery/field-error.ts'
import { byteLength, isDns1123Subdomain } from '../../../machinery/validation/names.ts'

const maxLength = 63

/** The name of a CSI driver, which may have upper case letters. */
export function validateDriverName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const errors: FieldError[] = []
  if (byteLength(name) > maxLength) errors.push(tooLong(path, maxLength))
  for (const message of isDns1123Subdomain(name.toLowerCase())) errors.push(invalid(path, name, message))
  return errors
}
