// The switches of the proposals, with Kubernetes' names and rules: an unknown gate is an error, and so is a gate that
// is turned on by name while its prerequisite is off. A gate that is not named goes off with its prerequisite.
// Kubernetes: k8s.io/component-base/featuregate.featureGate.Set, featureGate.unsafeSetFromMap, featureGate.SetFromMap

interface FeatureGate {
  readonly default: boolean
  readonly stage: 'ALPHA' | 'BETA' | 'GA'
  readonly needs?: readonly FeatureGateName[]
  readonly about: string
}

export type FeatureGateName = keyof typeof featureGates

/** Prerequisites precede the gates that need them. */
export const featureGates = {
  DeploymentReplicaSetTerminatingReplicas: gate('BETA', true, 'KEP-3973: terminatingReplicas in the status of ReplicaSets and Deployments'),
  DeploymentPodReplacementPolicy: gate('ALPHA', true, 'KEP-5882: spec.podReplacementPolicy of Deployments', [
    'DeploymentReplicaSetTerminatingReplicas',
  ]),
  JobPodReplacementPolicy: gate('GA', true, 'KEP-3939: spec.podReplacementPolicy and status.terminating of Jobs'),
  TerminatingAsActive: gate('ALPHA', true, "KEP-3939's draft: spec.terminatingAsActive of Deployments, ReplicaSets and Jobs"),
  ExtendedWorkloadConditions: gate('ALPHA', true, 'KEP-2804: Operational, Progressing, Waiting and Running conditions'),
  MaxUnavailableStatefulSet: gate('BETA', true, 'spec.updateStrategy.rollingUpdate.maxUnavailable of StatefulSets'),
  StatefulSetRecreateStrategy: gate(
    'ALPHA',
    false,
    'spec.updateStrategy.type: Recreate of StatefulSets: all old pods terminate before new ones are created',
  ),
  HPAScaleToZero: gate('BETA', true, 'spec.minReplicas: 0 of HorizontalPodAutoscalers'),
  HPAGeneration: gate('BETA', true, 'metadata.generation of HorizontalPodAutoscalers, and observedGeneration in their status'),
  StatefulSetUnstickRollout: gate(
    'ALPHA',
    false,
    'An ordered rollout of a StatefulSet continues after its template was fixed: broken pods of an old revision, and broken surplus pods, are deleted',
  ),
  PodDeletionCost: gate('BETA', true, 'KEP-2255: the controller.kubernetes.io/pod-deletion-cost annotation'),
} as const satisfies Readonly<Record<string, unknown>>

export type FeatureGates = Readonly<Record<FeatureGateName, boolean>>

function gate(
  stage: 'ALPHA' | 'BETA' | 'GA',
  on: boolean,
  about: string,
  needs: readonly string[] = [],
): Omit<FeatureGate, 'needs'> & { readonly needs: readonly string[] } {
  return { stage, default: on, about, needs }
}

export const defaultFeatureGates: FeatureGates = Object.freeze(
  Object.fromEntries(Object.entries(featureGates).map(([name, { default: on }]) => [name, on])) as Record<FeatureGateName, boolean>,
)

/** Applies `A=true,B=false,AllAlpha=false` to the defaults. Throws an Error whose message says what to write instead. */
export function parseFeatureGates(text: string): FeatureGates {
  const wanted = new Map<string, boolean>()
  for (const part of text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const equals = part.indexOf('=')
    const name = equals < 0 ? part : part.slice(0, equals).trim()
    const value = equals < 0 ? '' : part.slice(equals + 1).trim()
    const on = parseGoBoolean(value)
    if (equals < 0) throw new Error(`Cannot read feature gate "${part}": write ${part}=true or ${part}=false`)
    if (on === undefined) throw new Error(`Cannot read feature gate "${part}": "${value}" is not true or false`)
    if (name !== 'AllAlpha' && name !== 'AllBeta' && !Object.hasOwn(featureGates, name))
      throw new Error(
        `Cannot set feature gate "${name}": unknown gate; the gates are ${Object.keys(featureGates).join(', ')}, AllAlpha, AllBeta`,
      )
    wanted.set(name, on)
  }
  const gates = { ...defaultFeatureGates }
  for (const [name, { stage }] of Object.entries(featureGates) as [FeatureGateName, { stage: string }][]) {
    const all = stage === 'ALPHA' ? wanted.get('AllAlpha') : stage === 'BETA' ? wanted.get('AllBeta') : undefined
    gates[name] = wanted.get(name) ?? all ?? gates[name]
  }
  // In the order of the table: prerequisites first.
  for (const [name, { needs }] of Object.entries(featureGates) as [FeatureGateName, { needs: readonly FeatureGateName[] }][]) {
    const missing = needs.find((need) => !gates[need])
    if (missing === undefined) continue
    if (wanted.get(name) === true)
      throw new Error(`Cannot enable feature gate "${name}": it needs "${missing}", which is off. Turn on both, or neither.`)
    gates[name] = false
  }
  return Object.freeze(gates)
}

function parseGoBoolean(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  return undefined
}
