import { describe, expect, test } from 'vitest'
import { remoteControllerDefinitions } from '../../controllers/definitions.ts'
import { deploymentController } from '../../controllers/deployment/definition.ts'
import { ttlAfterFinishedController } from '../../controllers/job/definition.ts'
import { replicaSetController } from '../../controllers/replica-set/definition.ts'
import { refusal } from './preflight.ts'

describe('the refusal while built-in controllers are active', () => {
  test('turns off all that are to be replaced, also those that are off already', () => {
    const text = refusal([ttlAfterFinishedController], remoteControllerDefinitions)
    expect(text).toContain('the built-in controllers for ttl-after-finished are active')
    expect(text).toContain(
      '--controllers=*,bootstrap-signer-controller,token-cleaner-controller,-deployment-controller,-replicaset-controller,-replicationcontroller-controller,-job-controller,-cronjob-controller,-ttl-after-finished-controller,-statefulset-controller,-daemonset-controller\n',
    )
  })

  test('leaves controllers alone that were not asked for', () => {
    const text = refusal([replicaSetController], [deploymentController, replicaSetController])
    expect(text).toContain('token-cleaner-controller,-deployment-controller,-replicaset-controller\n')
    expect(text).toContain('Or leave them to Kubernetes: --controllers=deployment')
    expect(text).not.toContain('-job-controller')
  })

  test('offers no remaining controllers where all are active', () => {
    expect(refusal([deploymentController], [deploymentController])).not.toContain('Or leave them to Kubernetes')
  })
})
