import { describe, expect, it } from 'vitest'
import { changed, context, keyRule, messagesOf, nothing, type PodChange } from '../testing/example-pod.ts'
import { validatePodStatusUpdate } from '../validation.ts'

describe('validatePodStatusUpdate()', () => {
  const status = (before: PodChange, after: PodChange) => messagesOf(validatePodStatusUpdate(changed(after), changed(before), context))
  const ended = { terminated: { exitCode: 0 } }
  const running = { running: {} }
  const container = (state: object) => ({ name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state })

  it.each<readonly [string, PodChange, PodChange, readonly string[]]>([
    ['nothing', nothing, nothing, []],
    [
      'conditions',
      nothing,
      ({ status }) => {
        status.conditions = [
          { type: 'Ready', status: 'True' },
          { type: 'a b', status: 'True', observedGeneration: -1 },
        ]
      },
      [
        'status.conditions[1].observedGeneration: Invalid value: -1: must be a non-negative integer',
        `status.conditions[1].Type: Invalid value: "a b": ${keyRule}`,
      ],
    ],
    [
      'another node',
      nothing,
      ({ spec }) => {
        spec.nodeName = 'n'
      },
      ['status.nodeName: Forbidden: may not be changed directly'],
    ],
    [
      'a nomination for a bound pod',
      ({ spec }) => {
        spec.nodeName = 'n'
      },
      ({ spec, status }) => {
        spec.nodeName = 'n'
        status.nominatedNodeName = 'm'
      },
      ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
    ],
    [
      'a negative generation',
      nothing,
      ({ status }) => {
        status.observedGeneration = -1
      },
      ['status.observedGeneration: Invalid value: -1: must be a non-negative integer'],
    ],
    [
      'another quality of service',
      nothing,
      ({ status }) => {
        status.qosClass = 'Burstable'
      },
      ['status.qosClass: Invalid value: "Burstable": field is immutable'],
    ],
    [
      'a restart that the policy allows',
      ({ status }) => {
        status.containerStatuses = [container(ended)]
      },
      ({ status }) => {
        status.containerStatuses = [container(running)]
      },
      [],
    ],
    [
      'a restart that the policy does not allow',
      ({ spec, status }) => {
        spec.restartPolicy = 'OnFailure'
        status.containerStatuses = [container(ended)]
      },
      ({ spec, status }) => {
        spec.restartPolicy = 'OnFailure'
        status.containerStatuses = [container(running)]
      },
      ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
    ],
    [
      'a restart of an ephemeral container',
      ({ status }) => {
        status.ephemeralContainerStatuses = [container(ended)]
      },
      ({ status }) => {
        status.ephemeralContainerStatuses = [container(running)]
      },
      ['status.ephemeralContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
    ],
    [
      'addresses',
      nothing,
      ({ status }) => {
        status.podIPs = [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }]
        status.hostIP = '1.1.1.1'
        status.hostIPs = [{ ip: 'x' }]
      },
      [
        'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
        'status.hostIPs[0].ip: Invalid value: "x": must be equal to `hostIP`',
        'status.hostIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'two families',
      nothing,
      ({ status }) => {
        status.podIPs = [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }]
      },
      [],
    ],
    [
      'claims',
      nothing,
      ({ status }) => {
        status.resourceClaimStatuses = [{ name: 'a' }, { name: 'a' }]
      },
      [
        'status.resourceClaimStatuses[0].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
        'status.resourceClaimStatuses[1].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
        'status.resourceClaimStatuses[1].name: Duplicate value: "a"',
      ],
    ],
    [
      'users and devices of containers',
      nothing,
      ({ status }) => {
        status.containerStatuses = [
          {
            ...container(running),
            user: { linux: { uid: -1, gid: 0, supplementalGroups: [-2] } },
            allocatedResourcesStatus: [
              {
                name: 'example.com/gpu',
                resources: [
                  { resourceID: 'a', health: 'Ill' },
                  { resourceID: 'a', health: 'Healthy' },
                ],
              },
            ],
          },
        ]
      },
      [
        'status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'status.containerStatuses[0].user.linux.supplementalGroups[0]: Invalid value: -2: must be between 0 and 2147483647, inclusive',
        `status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "example.com/gpu": must match one of the container's resource requests`,
        'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Ill": supported values: "Healthy", "Unhealthy", "Unknown"',
        'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "a"',
      ],
    ],
  ])('%s', (_name, before, after, messages) => {
    expect(status(before, after)).toEqual(messages)
  })
})
