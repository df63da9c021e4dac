import { describe, expect, it } from 'vitest'
import { defaultPodSecurity, readPodSecurity } from './configuration.ts'

const named = { apiVersion: 'pod-security.admission.config.k8s.io/v1', kind: 'PodSecurityConfiguration' }
const latest = Number.POSITIVE_INFINITY

describe('readPodSecurity()', () => {
  it('reads an empty configuration as the default', () => {
    expect(readPodSecurity(named)).toEqual(defaultPodSecurity)
  })

  it('reads defaults, where a level to enforce does not become one to warn about, and exemptions', () => {
    const defaults = { enforce: 'baseline', 'enforce-version': 'v1.30', audit: 'restricted', 'warn-version': 'v1.20' }
    const exemptions = { usernames: ['jane'], namespaces: ['a'] }
    expect(readPodSecurity({ ...named, defaults, exemptions })).toEqual({
      defaults: {
        enforce: { level: 'baseline', minor: 30 },
        audit: { level: 'restricted', minor: latest },
        warn: { level: 'privileged', minor: 20 },
      },
      exemptions: { usernames: ['jane'], runtimeClasses: [], namespaces: ['a'] },
    })
  })

  it.each([
    ['another kind', { kind: 'AdmissionConfiguration' }, 'expected a PodSecurityConfiguration of pod-security.admission.config.k8s.io/v1'],
    ['a list of defaults', { defaults: [] }, 'defaults must be a map'],
    ['a number', { defaults: { enforce: 1 } }, 'defaults.enforce must be a string'],
    ['one exemption', { exemptions: { usernames: 'a' } }, 'exemptions.usernames must be a list of strings'],
    [
      'an unknown level',
      { defaults: { enforce: 'x' } },
      'defaults.enforce: Invalid value: "x": must be one of privileged, baseline, restricted',
    ],
    [
      'an unknown version',
      { defaults: { 'warn-version': '1.30' } },
      'defaults.warn-version: Invalid value: "1.30": must be "latest" or "v1.x"',
    ],
    ['a user twice', { exemptions: { usernames: ['a', 'a'] } }, 'exemptions.usernames[1]: Duplicate value: "a"'],
    [
      'a user without a name',
      { exemptions: { usernames: [''] } },
      'exemptions.usernames[0]: Invalid value: "": username must not be empty',
    ],
  ])('refuses %s', (_, more, message) => {
    expect(() => readPodSecurity({ ...named, ...more })).toThrow(message)
  })
})
