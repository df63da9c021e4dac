import { describe, expect, it } from 'vitest'
import { defaultFeatureGates, type FeatureGateName, featureGates, parseFeatureGates } from './feature-gates.ts'

const names = Object.keys(featureGates) as FeatureGateName[]
const changed = (text: string) => {
  const gates = parseFeatureGates(text)
  return Object.fromEntries(names.filter((name) => gates[name] !== defaultFeatureGates[name]).map((name) => [name, gates[name]]))
}

const otherBetas = { HPAGeneration: false, HPAScaleToZero: false, MaxUnavailableStatefulSet: false, PodDeletionCost: false }

describe('parseFeatureGates()', () => {
  it.each<[string, string, Partial<Record<FeatureGateName, boolean>>]>([
    ['nothing', '', {}],
    ['one gate', 'PodDeletionCost=false', { PodDeletionCost: false }],
    ['spaces and empty parts', ' PodDeletionCost = f ,, ', { PodDeletionCost: false }],
    [
      'AllBeta=false: a gate that is not named goes off with its prerequisite',
      'AllBeta=false',
      { DeploymentReplicaSetTerminatingReplicas: false, DeploymentPodReplacementPolicy: false, ...otherBetas },
    ],
    [
      'a prerequisite alone',
      'DeploymentReplicaSetTerminatingReplicas=false',
      { DeploymentReplicaSetTerminatingReplicas: false, DeploymentPodReplacementPolicy: false },
    ],
    [
      'AllAlpha=true names no gate: the gate follows its prerequisite',
      'AllAlpha=true,DeploymentReplicaSetTerminatingReplicas=false',
      {
        DeploymentReplicaSetTerminatingReplicas: false,
        DeploymentPodReplacementPolicy: false,
        StatefulSetRecreateStrategy: true,
        StatefulSetUnstickRollout: true,
      },
    ],
    [
      'a gate by name wins over AllBeta',
      'AllBeta=false,DeploymentReplicaSetTerminatingReplicas=true,DeploymentPodReplacementPolicy=true',
      otherBetas,
    ],
  ])('%s', (_, text, expected) => expect(changed(text)).toEqual(expected))

  it.each([
    [
      'DeploymentPodReplacementPolicy=true,DeploymentReplicaSetTerminatingReplicas=false',
      'Cannot enable feature gate "DeploymentPodReplacementPolicy": it needs "DeploymentReplicaSetTerminatingReplicas", which is off',
    ],
    ['AllBeta=false,DeploymentPodReplacementPolicy=true', 'it needs "DeploymentReplicaSetTerminatingReplicas", which is off'],
    ['Nonsense=true', 'Cannot set feature gate "Nonsense": unknown gate'],
    ['PodDeletionCost', 'write PodDeletionCost=true or PodDeletionCost=false'],
    ['PodDeletionCost=maybe', '"maybe" is not true or false'],
  ])('refuses %s', (text, message) => expect(() => parseFeatureGates(text)).toThrow(message))

  it('lists each gate after those that it needs', () => {
    for (const [index, name] of names.entries()) for (const need of featureGates[name].needs) expect(names.slice(0, index)).toContain(need)
  })
})
