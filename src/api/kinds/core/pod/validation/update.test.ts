import { describe, expect, it } from 'vitest'
import { changed, context, type ExamplePod, exampleContainer, messagesOf, nothing, type PodChange } from '../testing/example-pod.ts'
import { validatePodEphemeralContainersUpdate, validatePodUpdate } from '../validation.ts'

const update = (before: PodChange, after: PodChange) => messagesOf(validatePodUpdate(changed(after), changed(before), context))

const mayNotChange =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n'

const term = (...keys: string[]) => ({ matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) })
const nodeAffinity = (...terms: ReturnType<typeof term>[]) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
})
const terms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
const gated = (pod: ExamplePod) => {
  pod.spec.schedulingGates = [{ name: 'gate' }]
}

const rows: readonly (readonly [name: string, before: PodChange, after: PodChange, messages: readonly string[]])[] = [
  ['nothing', nothing, nothing, []],
  [
    'images',
    nothing,
    ({ spec }) => {
      spec.containers[0]!.image = 'other'
    },
    [],
  ],
  [
    'no image',
    nothing,
    ({ spec }) => {
      spec.containers[0]!.image = ''
    },
    ['spec.containers[0].image: Required value', 'spec.containers[0].image: Required value'],
  ],
  [
    'one container more',
    nothing,
    ({ spec }) => {
      spec.containers.push(exampleContainer({ name: 'b' }))
    },
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  ],
  [
    'a deadline',
    nothing,
    ({ spec }) => {
      spec.activeDeadlineSeconds = 10
    },
    [],
  ],
  [
    'an earlier deadline',
    ({ spec }) => {
      spec.activeDeadlineSeconds = 10
    },
    ({ spec }) => {
      spec.activeDeadlineSeconds = 9
    },
    [],
  ],
  [
    'a later deadline',
    ({ spec }) => {
      spec.activeDeadlineSeconds = 10
    },
    ({ spec }) => {
      spec.activeDeadlineSeconds = 11
    },
    ['spec.activeDeadlineSeconds: Invalid value: 11: must be less than or equal to previous value'],
  ],
  [
    'no deadline any more',
    ({ spec }) => {
      spec.activeDeadlineSeconds = 10
    },
    nothing,
    ['spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value'],
  ],
  [
    'a toleration more, and another number of seconds',
    ({ spec }) => {
      spec.tolerations = [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }]
    },
    ({ spec }) => {
      spec.tolerations = [
        { key: 'b', operator: 'Exists' },
        { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 },
      ]
    },
    [],
  ],
  [
    'a toleration less',
    ({ spec }) => {
      spec.tolerations = [{ key: 'a', operator: 'Exists' }]
    },
    nothing,
    ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  ],
  [
    'a grace period of 1 after a negative one',
    ({ spec }) => {
      spec.terminationGracePeriodSeconds = -1
    },
    ({ spec }) => {
      spec.terminationGracePeriodSeconds = 1
    },
    [],
  ],
  [
    'a gate less',
    gated,
    ({ spec }) => {
      spec.schedulingGates = []
    },
    [],
  ],
  [
    'a gate more',
    nothing,
    gated,
    ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'gate'"],
  ],
  [
    'the same amount in other words',
    ({ spec }) => {
      spec.containers[0]!.resources = { limits: { memory: '1Ki' } }
    },
    ({ spec }) => {
      spec.containers[0]!.resources = { limits: { memory: '1024' } }
    },
    [],
  ],
  [
    'an empty list for none',
    nothing,
    ({ spec }) => {
      spec.containers[0]!.env = []
    },
    [],
  ],
  [
    'fewer nodes while gated',
    gated,
    (pod) => {
      gated(pod)
      pod.spec.nodeSelector = { a: 'b' }
    },
    [],
  ],
  [
    'other nodes while gated',
    (pod) => {
      gated(pod)
      pod.spec.nodeSelector = { b: '1', a: '2' }
    },
    (pod) => {
      gated(pod)
      pod.spec.nodeSelector = { b: '1', a: '3' }
    },
    ['spec.nodeSelector: Invalid value: {"a":"3","b":"1"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)'],
  ],
  [
    'node affinity while gated',
    gated,
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('a'))
    },
    [],
  ],
  [
    'more expressions in a term while gated',
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('a'))
    },
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('a', 'b'))
    },
    [],
  ],
  [
    'another expression in a term while gated',
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('a'))
    },
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('b'))
    },
    [
      `${terms}[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
    ],
  ],
  [
    'more terms while gated',
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('a'))
    },
    (pod) => {
      gated(pod)
      pod.spec.affinity = nodeAffinity(term('a'), term('b'))
    },
    [
      `${terms}: Invalid value: [{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null},{"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}]: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ],
  ],
]

describe('validatePodUpdate()', () => {
  it.each(rows)('%s', (_name, before, after, messages) => {
    expect(update(before, after)).toEqual(messages)
  })

  it('shows what else has changed, under the names that the server uses', () => {
    expect(
      update(nothing, ({ spec }) => {
        spec.hostname = 'h'
      }),
    ).toEqual([
      `${mayNotChange}@@ -102,7 +102,7 @@\n   "SELinuxChangePolicy": null\n  },\n  "ImagePullSecrets": null,\n- "Hostname": "",\n+ "Hostname": "h",\n  "Subdomain": "",\n  "Affinity": null,\n  "SchedulerName": "default-scheduler",\n`,
    ])
  })

  it('puts back what may change before it shows the rest', () => {
    const [message = ''] = update(nothing, ({ spec }) => {
      spec.containers[0]!.image = 'elsewhere'
      spec.nodeName = 'n'
    })
    expect(message).toContain('- "NodeName": "",\n+ "NodeName": "n",\n')
    expect(message).not.toContain('elsewhere')
  })

  it('accepts stored values that a newer rule refuses', () => {
    const old = ({ spec }: ExamplePod) => {
      spec.tolerations = [{ key: 'a', operator: 'Gt', value: '1' }]
      spec.securityContext = { seLinuxChangePolicy: 'MountOption' }
    }
    expect(update(old, old)).toEqual([])
  })
})

describe('validatePodEphemeralContainersUpdate()', () => {
  const debug = (name: string, image = 'busybox') => ({ ...exampleContainer({ name, image }) })
  const run = (before: PodChange, after: PodChange) =>
    messagesOf(validatePodEphemeralContainersUpdate(changed(after), changed(before), context))

  it('adds, and neither removes nor changes', () => {
    expect(
      run(nothing, ({ spec }) => {
        spec.ephemeralContainers = [debug('a')]
      }),
    ).toEqual([])
    const [removed, different = ''] = run(
      ({ spec }) => {
        spec.ephemeralContainers = [debug('a'), debug('b')]
      },
      ({ spec }) => {
        spec.ephemeralContainers = [debug('b', 'alpine')]
      },
    )
    expect(removed).toBe('spec.ephemeralContainers: Forbidden: existing ephemeral containers "a" may not be removed\n')
    expect(
      different.startsWith('spec.ephemeralContainers: Forbidden: existing ephemeral containers "b" may not be changed\n@@ -1,6 +1,6 @@\n'),
    ).toBe(true)
  })

  it('is not for mirror pods', () => {
    const mirror: PodChange = ({ metadata }) => {
      metadata.annotations['kubernetes.io/config.mirror'] = 'x'
    }
    expect(run(mirror, mirror)).toEqual(['[]: Forbidden: static pods do not support ephemeral containers'])
  })
})
