// Kubernetes: github.com/google/cel-go/common/types.Double.ConvertToType
/** As Go's %g: the shortest form, with an exponent of at least two digits from 1e21 on and below 1e-4. */
export function showDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const absolute = Math.abs(value)
  if (value !== 0 && (absolute < 1e-4 || absolute >= 1e21))
    return value.toExponential().replace(/e([+-])(\d)$/, (_all, sign: string, digit: string) => `e${sign}0${digit}`)
  return String(value)
}
