// What has to be done to get the policy that the advice recommends, as lines of a shell: no released Kubernetes has the field.
import { adviceNames } from './advice.ts'
import { changedWorkloads } from './changed-workloads.ts'
import type { Plan } from './plan.ts'
import { type Policy, policies } from './result.ts'
import { policyOf } from './settings.ts'

type Target = { readonly name: string; readonly namespace: string }

const maxNamed = 3

/** Undefined where nothing has to be done. */
export function howToGet(advice: string, plan: Plan): readonly string[] | undefined {
  const choice = policies.find((policy) => advice.includes(`Choose ${adviceNames[policy]}:`))
  // docs/guides/drain-without-downtime.md is about evictions.
  if (choice === undefined || choice === 'None' || choice === 'Pacer+evictions') return undefined
  const targets = changedWorkloads(plan).filter(({ object }) => object.kind === 'Deployment' && policyOf(object) !== choice)
  if (targets.length === 0) return undefined
  const named = targets.map(({ object: { metadata } }) => ({ name: metadata?.name ?? '', namespace: metadata?.namespace ?? 'default' }))
  return choice === 'Pacer' ? pacerLines(named) : fieldLines(choice, named, plan.clusterHasPolicies === true)
}

const pacerLines = (targets: readonly Target[]): string[] => [
  '# Once for the cluster (docs/pacer.md has the image, and the way without Helm):',
  'helm install rollcall-pacer deploy/charts/rollcall-pacer --namespace rollcall-system --create-namespace --set image.repository=REGISTRY/rollcall',
  '# Then for each Deployment; its pods are not restarted:',
  ...each(targets, annotate),
]

function fieldLines(policy: Policy, targets: readonly Target[], clusterHasField: boolean): string[] {
  const [podReplacementPolicy, asActive] = policy.split('+')
  if (!clusterHasField)
    return [
      '# Where rollcall controllers replaces the workload controllers (docs/real-clusters.md):',
      ...each(targets, (target) => `${annotate(target)}${asActive === undefined ? '' : ' rollcall.dev/terminating-as-active=true'}`),
    ]
  const spec = JSON.stringify({ spec: { podReplacementPolicy, ...(asActive !== undefined && { terminatingAsActive: true }) } })
  return each(targets, ({ name, namespace }) => `kubectl patch deployment ${name} --namespace ${namespace} --type merge --patch '${spec}'`)
}

const annotate = ({ name, namespace }: Target) =>
  `kubectl annotate deployment ${name} --namespace ${namespace} rollcall.dev/pod-replacement-policy=TerminationComplete`

const each = (targets: readonly Target[], line: (target: Target) => string): string[] => [
  ...targets.slice(0, maxNamed).map(line),
  ...(targets.length > maxNamed ? [`# … and the other ${targets.length - maxNamed} in the same way.`] : []),
]
