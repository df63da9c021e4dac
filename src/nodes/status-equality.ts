// Compares statuses as the API server stores them: absent, null, empty and zero values are equal, because the server omits or adds
// such fields depending on the kind.
// Kubernetes: pkg/kubelet/status.isPodStatusByKubeletEqual, normalizeStatus

export function isSameStatus(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return isEmptyValue(a) && isEmptyValue(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return isEmptyValue(a) && isEmptyValue(b)
    for (let at = 0; at < a.length; at++) if (!isSameStatus(a[at], b[at])) return false
    return true
  }
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  for (const field in left) if (!isSameStatus(left[field], Object.hasOwn(right, field) ? right[field] : undefined)) return false
  for (const field in right) if (!Object.hasOwn(left, field) && !isEmptyValue(right[field])) return false
  return true
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  for (const field in value) if (!isEmptyValue((value as Readonly<Record<string, unknown>>)[field])) return false
  return true
}
