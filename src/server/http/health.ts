// /healthz, /livez and /readyz: all checks, or one by name.
import { messageOf } from '../../base/error-message.ts'
import type { Request } from './request.ts'

export interface HealthCheck {
  readonly name: string
  /** Default: all three. */
  readonly paths?: readonly HealthPath[]
  /** The problem, or undefined when healthy. */
  check(): string | undefined
}

export type HealthPath = 'healthz' | 'livez' | 'readyz'

export const healthPaths: readonly HealthPath[] = ['healthz', 'livez', 'readyz']

/** `name`: one check only. Returns false when there is no such check. */
export function sendHealth(request: Request, path: HealthPath, name: string | undefined, all: readonly HealthCheck[]): boolean {
  const checks = all.filter(({ paths = healthPaths }) => paths.includes(path))
  if (name !== undefined) {
    const one = checks.find((check) => check.name === name)
    if (one === undefined) return false
    const wrong = failureOf(one)
    request.sendPlain(wrong === undefined ? 200 : 500, wrong === undefined ? 'ok' : `internal server error: ${wrong}\n`)
    return true
  }
  const excluded = new Set(request.query.all('exclude'))
  let lines = ''
  let isHealthy = true
  for (const check of checks) {
    if (excluded.delete(check.name)) lines += `[+]${check.name} excluded: ok\n`
    else if (failureOf(check) === undefined) lines += `[+]${check.name} ok\n`
    else {
      isHealthy = false
      lines += `[-]${check.name} failed: reason withheld\n`
    }
  }
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((one) => JSON.stringify(one))
    lines += `warn: some health checks cannot be excluded: no matches for ${names.join(', ')}\n`
  }
  if (!isHealthy) request.sendPlain(500, `${lines}${path} check failed\n`)
  else request.sendPlain(200, request.query.has('verbose') ? `${lines}${path} check passed\n` : 'ok')
  return true
}

function failureOf(one: HealthCheck): string | undefined {
  try {
    return one.check()
  } catch (error) {
    return messageOf(error)
  }
}
