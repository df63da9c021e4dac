import { describe } from 'vitest'
import { keyRule, labelRule, type SpecRow, subdomainRule, testSpecs, valueRule } from '../testing/example-pod.ts'

const _idRule = 'must be between 0 and 2147483647, inclusive'
const _ipRule = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

const affinityRows: readonly SpecRow[] = [
  [
    'nodes',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: 'a', operator: 'In' },
                  { key: 'a', operator: 'Exists', values: ['x'] },
                  { key: 'a', operator: 'Gt', values: [] },
                  { key: 'a b', operator: 'Is', values: ['c d'] },
                ],
                matchFields: [{ key: 'metadata.uid', operator: 'Exists', values: [] }],
              },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, preference: { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['A', 'b'] }] } },
          ],
        },
      },
    },
    (() => {
      const at = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]'
      const preferred = 'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]'
      return [
        `${at}.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        `${at}.matchExpressions[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
        `${at}.matchExpressions[2].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
        `${at}.matchExpressions[3].operator: Invalid value: "Is": not a valid selector operator`,
        `${at}.matchExpressions[3].key: Invalid value: "a b": ${keyRule}`,
        `${at}.matchExpressions[3].values[0]: Invalid value: "c d": ${valueRule}`,
        `${at}.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator`,
        `${at}.matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`,
        `${preferred}.weight: Invalid value: 101: must be in the range 1-100`,
        `${preferred}.preference.matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
        `${preferred}.preference.matchFields[0].values[0]: Invalid value: "A": ${subdomainRule}`,
      ]
    })(),
  ],
  [
    'no terms for nodes',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
  ],
  [
    'pods',
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: '',
              namespaces: ['A'],
              labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
              namespaceSelector: { matchLabels: { 'a b': 'c' } },
            },
          ],
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 0,
              podAffinityTerm: { topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['a', 'b c'], mismatchLabelKeys: ['a'] },
            },
          ],
        },
      },
    },
    (() => {
      const at = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]'
      const anti = 'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]'
      return [
        `${at}.labelSelector.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        `${at}.namespaceSelector.matchLabels: Invalid value: "a b": ${keyRule}`,
        `${at}.namespace: Invalid value: "A": ${labelRule}`,
        `${at}.topologyKey: Required value: can not be empty`,
        `${at}.topologyKey: Invalid value: "": name part must be non-empty`,
        `${at}.topologyKey: Invalid value: "": ${keyRule}`,
        `${anti}.weight: Invalid value: 0: must be in the range 1-100`,
        `${anti}.podAffinityTerm.matchLabelKeys[1]: Invalid value: "b c": ${keyRule}`,
        `${anti}.podAffinityTerm.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`,
      ]
    })(),
  ],
]

describe('validatePod(), affinity', () => testSpecs(affinityRows))
