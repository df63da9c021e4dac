import { describe, expect, test } from 'vitest'
import { controllerNames } from './controller-names.ts'
import { refusal } from './preflight.ts'

describe('the refusal while built-in controllers are active', () => {
  test('turns off all that are to be replaced, also those that are off already', () => {
    const text = refusal(['ttl-after-finished'], controllerNames)
    expect(text).toContain('the built-in controllers for ttl-after-finished are active')
    expect(text).toContain(
      '--controllers=*,bootstrap-signer-controller,token-cleaner-controller,-deployment-controller,-replicaset-controller,-replicationcontroller-controller,-statefulset-controller,-daemonset-controller,-job-controller,-cronjob-controller,-ttl-after-finished-controller\n',
    )
  })

  test('leaves controllers alone that were not asked for', () => {
    const text = refusal(['replicaset'], ['deployment', 'replicaset'])
    expect(text).toContain('token-cleaner-controller,-deployment-controller,-replicaset-controller\n')
    expect(text).toContain('Or leave them to Kubernetes: --controllers=deployment')
    expect(text).not.toContain('-job-controller')
  })

  test('offers no remaining controllers where all are active', () => {
    expect(refusal(['deployment'], ['deployment'])).not.toContain('Or leave them to Kubernetes')
  })
})
