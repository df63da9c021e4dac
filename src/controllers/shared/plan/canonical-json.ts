// JSON as Go's encoder writes it: keys sorted, and HTML characters escaped. Revisions are compared by it, and their names
// contain its hash, so a template has the same revision name on every server.
// Ours: Go has this encoder in its standard library.

export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalar(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields: string[] = []
  for (const key of Object.keys(value).sort()) {
    const field = (value as Readonly<Record<string, unknown>>)[key]
    if (field !== undefined) fields.push(`${scalar(key)}:${canonicalJson(field)}`)
  }
  return `{${fields.join(',')}}`
}

const special = /[<>&\u2028\u2029]/g

function scalar(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.replace(special, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
