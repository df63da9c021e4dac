import { describe, expect, it } from 'vitest'
import { context, makeObject, podTemplate, said } from '../../../testing/make-object.ts'
import type { Job } from '../../../types.ts'
import { jobStrategy } from './strategy.ts'
import { validateJob, validateJobUpdate } from './validation.ts'

const template = { spec: { ...podTemplate.spec, restartPolicy: 'Never' } }
const base = { metadata: { name: 'sum', uid: 'u-1' }, spec: { template } }
const job = (spec: object = {}, more: object = {}) => makeObject<Job>('batch.Job', jobStrategy, base, { spec, ...more })
const indexed = (spec: object = {}) => ({ completionMode: 'Indexed', completions: 3, ...spec })
const failing = (rule: object, more: object = {}) => ({ podFailurePolicy: { rules: [rule] }, ...more })
const notNegative = 'must be greater than or equal to 0'

describe('validateJob()', () => {
  const rule = 'spec.podFailurePolicy.rules[0]'
  const success = 'spec.successPolicy.rules[0]'
  const rows: readonly [string, object, readonly string[]][] = [
    ['a plain one', {}, []],
    ['negative parallelism', { parallelism: -1 }, [`spec.parallelism: Invalid value: -1: ${notNegative}`]],
    ['a negative backoff', { backoffLimit: -1 }, [`spec.backoffLimit: Invalid value: -1: ${notNegative}`]],
    ['a negative deadline', { activeDeadlineSeconds: -1 }, [`spec.activeDeadlineSeconds: Invalid value: -1: ${notNegative}`]],
    ['a negative time to live', { ttlSecondsAfterFinished: -1 }, [`spec.ttlSecondsAfterFinished: Invalid value: -1: ${notNegative}`]],
    [
      'failed indexes without a backoff for each',
      indexed({ maxFailedIndexes: 1 }),
      ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
    ],
    [
      'a manager without a domain',
      { managedBy: 'me' },
      ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    ['a long manager', { managedBy: `a.io/${'b'.repeat(60)}` }, ['spec.managedBy: Too long: may not be more than 63 bytes']],
    [
      'an unknown completion mode',
      { completionMode: 'Random' },
      ['spec.completionMode: Unsupported value: "Random": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      'indexes without an end',
      { completionMode: 'Indexed', parallelism: 1 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      'too many indexes at once',
      indexed({ parallelism: 100_001 }),
      ['spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed'],
    ],
    [
      'more failed indexes than indexes',
      indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 4 }),
      ['spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions'],
    ],
    [
      'very many indexes',
      indexed({ completions: 100_001, backoffLimitPerIndex: 1, parallelism: 10_001 }),
      [
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
    ],
    [
      'a backoff for each of no indexes',
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'no restart policy',
      { template: { spec: { restartPolicy: null } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'a failure policy with restarts',
      failing(
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        { template: { spec: { restartPolicy: 'OnFailure' } } },
      ),
      ['spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified'],
    ],
    [
      'a failure rule with nothing in it',
      failing({ action: '' }),
      [
        `${rule}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
        `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
      ],
    ],
    [
      'a failure rule with both conditions',
      failing({
        action: 'Count',
        onExitCodes: { operator: 'In', values: [1] },
        onPodConditions: [{ type: 'Ready', status: 'Maybe' }],
      }),
      [
        `${rule}.onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"`,
        `${rule}: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
      ],
    ],
    [
      'an unknown action',
      failing({ action: 'Shout', onExitCodes: { operator: 'In', values: [1] } }),
      [`${rule}.action: Unsupported value: "Shout": supported values: "Count", "FailIndex", "FailJob", "Ignore"`],
    ],
    [
      'FailIndex without indexes',
      failing({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }),
      [`${rule}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
    ],
    [
      'exit codes that are wrong in many ways',
      failing({ action: 'Count', onExitCodes: { operator: 'In', containerName: 'x', values: [3, 0, 3] } }),
      [
        `${rule}.onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template`,
        `${rule}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
        `${rule}.onExitCodes.values[2]: Duplicate value: 3`,
        `${rule}.onExitCodes.values: Invalid value: [3,0,3]: must be ordered`,
      ],
    ],
    [
      'no exit codes',
      failing({ action: 'Count', onExitCodes: { operator: 'Like' } }),
      [
        `${rule}.onExitCodes.operator: Unsupported value: "Like": supported values: "In", "NotIn"`,
        `${rule}.onExitCodes.values: Invalid value: null: at least one value is required`,
      ],
    ],
    [
      'too many failure rules',
      { podFailurePolicy: { rules: new Array(21).fill({ action: 'Count', onPodConditions: [{ type: 'Ready' }] }) } },
      ['spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items'],
    ],
    [
      'a success policy without indexes',
      { successPolicy: { rules: [{ succeededCount: 1 }] } },
      ['spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode'],
    ],
    [
      'a success policy without rules',
      indexed({ successPolicy: { rules: [] } }),
      ['spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified'],
    ],
    [
      'a success rule without a rule',
      indexed({ successPolicy: { rules: [{}] } }),
      [`${success}: Required value: at least one of succeededCount or succeededIndexes must be specified`],
    ],
    [
      'a success rule beyond the indexes',
      indexed({ successPolicy: { rules: [{ succeededIndexes: '0-3' }] } }),
      [`${success}.succeededIndexes: Invalid value: "0-3": error parsing succeededIndexes: too large index: "3"`],
    ],
    [
      'a success rule that wants too many',
      indexed({ successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 4 }] } }),
      [
        `${success}.succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)`,
        `${success}.succeededCount: Invalid value: 4: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
      ],
    ],
    [
      'an unknown replacement policy',
      { podReplacementPolicy: 'Never' },
      ['spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"'],
    ],
    [
      'a failure policy with eager replacement',
      failing({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }, { podReplacementPolicy: 'TerminatingOrFailed' }),
      ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
    ],
    ["KEP-3939's draft, alone", { terminatingAsActive: true }, []],
    ["KEP-3939's draft, in agreement", { terminatingAsActive: true, podReplacementPolicy: 'Failed' }, []],
    [
      "KEP-3939's draft, in contradiction",
      { terminatingAsActive: true, podReplacementPolicy: 'TerminatingOrFailed' },
      ["spec.terminatingAsActive: Invalid value: true: may not be true when podReplacementPolicy is 'TerminatingOrFailed'"],
    ],
    [
      "KEP-3939's draft, in contradiction the other way",
      { terminatingAsActive: false, podReplacementPolicy: 'Failed' },
      ["spec.terminatingAsActive: Invalid value: false: may not be false when podReplacementPolicy is 'Failed'"],
    ],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => expect(said(validateJob(job(spec), context))).toEqual(messages))

  it('refuses labels of another Job', () => {
    const wrong = job({ template: { metadata: { labels: { 'job-name': 'other' } } } })
    expect(said(validateJob(wrong, context))).toEqual([
      'spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"u-1","batch.kubernetes.io/job-name":"sum","controller-uid":"u-1","job-name":"other"}: must be \'sum\'',
    ])
  })

  it('refuses a selector of its own unless manualSelector is set', () => {
    const own = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } } }
    expect(said(validateJob(job(own), context))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"a":"b","batch.kubernetes.io/controller-uid":"u-1"}}: `selector` not auto-generated',
    ])
    expect(validateJob(job({ ...own, manualSelector: true }), context)).toEqual([])
  })

  it('requires a name that its pods can carry', () => {
    const name = 'a'.repeat(62)
    const long = job(indexed(), { metadata: { name } })
    expect(said(validateJob(long, context))).toEqual([
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-2`,
    ])
  })
})

describe('validateJobUpdate()', () => {
  const immutable = 'field is immutable'
  const rows: readonly [string, object, object, readonly string[]][] = [
    ['nothing', {}, {}, []],
    ['more at once', { completions: 1, parallelism: 5 }, {}, []],
    ['more completions', { completions: 5 }, { completions: 3 }, [`spec.completions: Invalid value: 5: ${immutable}`]],
    ['no more completions', { parallelism: 1 }, { completions: 3 }, [`spec.completions: Invalid value: null: ${immutable}`]],
    ['an elastic one', indexed({ completions: 5, parallelism: 5 }), indexed({ parallelism: 3 }), []],
    [
      'an elastic one, half',
      indexed({ completions: 5, parallelism: 3 }),
      indexed({ parallelism: 3 }),
      ['spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism'],
    ],
    ['another completion mode', { completions: 3 }, indexed(), [`spec.completionMode: Invalid value: "NonIndexed": ${immutable}`]],
    [
      'a backoff for each index',
      indexed({ backoffLimitPerIndex: 1 }),
      indexed(),
      [`spec.backoffLimitPerIndex: Invalid value: 1: ${immutable}`],
    ],
    ['another manager', { managedBy: 'a.io/b' }, {}, [`spec.managedBy: Invalid value: "a.io/b": ${immutable}`]],
    [
      'a success policy',
      indexed({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
      indexed(),
      [`spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: ${immutable}`],
    ],
    [
      'a failure policy',
      failing({ action: 'Ignore', onPodConditions: [{ type: 'Ready', status: 'True' }] }),
      { podReplacementPolicy: 'Failed' },
      [
        `spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[{"Type":"Ready","Status":"True"}]}]}: ${immutable}`,
      ],
    ],
    ['the draft of KEP-3939', { terminatingAsActive: true, podReplacementPolicy: 'Failed' }, {}, []],
  ]
  it.each(rows)('judges %s', (_, next, current, messages) => {
    expect(said(validateJobUpdate(job(next), job(current), context))).toEqual(messages)
  })

  it('says once what is wrong with the Job itself', () => {
    expect(said(validateJobUpdate(job({ completions: 1, parallelism: -1 }), job(), context))).toEqual([
      `spec.parallelism: Invalid value: -1: ${notNegative}`,
    ])
  })

  const scheduling = {
    metadata: { labels: { x: 'y' }, annotations: { x: 'y' } },
    spec: {
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
        },
      },
      containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } }],
    },
  }
  const whenever: readonly [string, object, object, boolean][] = [
    ['may while suspended and never started', { suspend: true }, {}, true],
    [
      'may while suspended and all stopped',
      { suspend: true },
      { startTime: '2026-01-01T00:00:00Z', conditions: [{ type: 'Suspended', status: 'True' }] },
      true,
    ],
    ['may not while pods still run', { suspend: true }, { active: 1 }, false],
    ['may not before it is known to be suspended', { suspend: true }, { startTime: '2026-01-01T00:00:00Z' }, false],
    ['may not while running', {}, {}, false],
  ]
  it.each(whenever)('scheduling and resources %s', (_, spec, status, allowed) => {
    const current = { ...job(spec), status }
    const errors = validateJobUpdate(job({ ...spec, template: scheduling }), current, context)
    expect(errors.map(({ field, detail }) => [field, detail])).toEqual(allowed ? [] : [['spec.template', immutable]])
    expect(validateJobUpdate(current, { ...job({ ...spec, template: scheduling }), status }, context)).toHaveLength(allowed ? 0 : 1)
  })

  it('keeps the image even while it is suspended', () => {
    const current = job({ suspend: true })
    const next = job({ suspend: true, template: { spec: { containers: [{ name: 'web', image: 'b' }] } } })
    const [error, ...others] = said(validateJobUpdate(next, current, context))
    expect(others).toEqual([])
    expect(error).toMatch(
      /^spec\.template\.spec: Invalid value: \{"Volumes":null,"InitContainers":null,"Containers":\[\{"Name":"web","Image":"b"/,
    )
    expect(error).toMatch(/: field is immutable$/)
  })
})
