// JSON as Go writes a map: keys in order, and the characters that matter in HTML escaped. Two revisions are the same when
// these texts are, and a revision is named after the hash of its text, so that it has the same name on any server.

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
