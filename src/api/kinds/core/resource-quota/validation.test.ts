import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { validateLimitRange } from '../limit-range/validation.ts'
import { resourceQuotas } from './kind.ts'
import { validateResourceQuota, validateResourceQuotaUpdate } from './validation.ts'

const notNegative = 'must be greater than or equal to 0'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }

const quota: Subject = {
  type: 'core.ResourceQuota',
  strategy: resourceQuotas.strategy,
  base: { metadata, spec: { hard: { pods: '10' } } },
}
creates(validateResourceQuota, quota, [
  ['a plain one', { spec: { hard: { 'requests.cpu': '1', 'count/jobs.batch': '3' } } }, []],
  [
    'an unknown resource',
    { spec: { hard: { beds: '1' } } },
    [
      'spec.hard[beds]: Invalid value: "beds": must be a standard resource type or fully qualified',
      'spec.hard[beds]: Invalid value: "beds": must be a standard resource for quota',
    ],
  ],
  ['a negative amount', { spec: { hard: { pods: '-1' } } }, [`spec.hard[pods]: Invalid value: "-1": ${notNegative}`]],
  ['an unknown scope', { spec: { scopes: ['Mine'] } }, ['spec.scopes: Invalid value: ["Mine"]: unsupported scope']],
  [
    'a scope of other things',
    { spec: { hard: { pods: null, secrets: '1' }, scopes: ['BestEffort'] } },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [
    'scopes that contradict each other',
    { spec: { scopes: ['Terminating', 'NotTerminating'] } },
    ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
  ],
  [
    'a scope without values',
    { spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } } },
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
])
updates(validateResourceQuotaUpdate, quota, [
  ['another amount', { spec: { hard: { pods: '5' } } }, {}, []],
  ['another scope', { spec: { scopes: ['BestEffort'] } }, {}, [`spec.scopes: Invalid value: ["BestEffort"]: ${immutable}`]],
])

const limits = (...list: object[]) => ({ spec: { limits: list } })
const range: Subject = { type: 'core.LimitRange', strategy: {}, base: { metadata } }
creates(validateLimitRange, range, [
  [
    'a plain one',
    limits({ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' }, default: { cpu: '1500m' }, defaultRequest: { cpu: '1' } }),
    [],
  ],
  [
    'an unknown type',
    limits({ type: 'Zoo' }),
    ['spec.limits[0].type: Invalid value: "Zoo": must be a standard limit type or fully qualified'],
  ],
  [
    'a type that is there twice',
    limits({ type: 'Container' }, { type: 'Container' }),
    ['spec.limits[1].type: Duplicate value: "Container"'],
  ],
  [
    'defaults of pods',
    limits({ type: 'Pod', default: { cpu: '1' } }),
    ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
  ],
  [
    'claims of any size',
    limits({ type: 'PersistentVolumeClaim' }),
    ['spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided'],
  ],
  [
    'less than the least',
    limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }),
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [
    'a default above the most',
    limits({ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }),
    ['spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1'],
  ],
  [
    'a ratio that cannot be',
    limits({ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000'],
  ],
])
