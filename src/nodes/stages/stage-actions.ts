// Plans the actions of a stage on an object. Nothing is written here.
// Ours: Stages belong to KWOK, another program.
import type { KubernetesObject } from '../../api/types.ts'
import { formatMicroTime } from '../../base/clock.ts'
import { kubeletVersion, nextNodeConditions } from '../node-object.ts'
import { WorkBudget } from '../work-budget.ts'
import { parsePlainYaml } from './plain-yaml.ts'
import { type Stage, type StageEvent, type StageFinalizers, stepsOf } from './stage.ts'
import { parseTemplate, renderTemplate, TemplateError } from './template.ts'
import type { contextFunctionNames, TemplateFunctions } from './template-functions.ts'

type StageAction =
  | { readonly type: 'event'; readonly event: StageEvent }
  | { readonly type: 'patch'; readonly patchType: 'json' | 'merge' | 'strategic'; readonly patch: unknown; readonly subresource?: string }
  | { readonly type: 'delete' }

/** What templates can refer to besides the object. */
export interface StageContext {
  readonly nodeName: string
  readonly nodeIp: string
  readonly podIp: string
  readonly startedAtMs: number
  /** Parses YAML that is not plain. */
  parseYaml(text: string): unknown
}

export function planStage(stage: Stage, object: KubernetesObject, context: StageContext, nowMs: number): StageAction[] {
  const actions: StageAction[] = []
  const functions = contextFunctions(context, nowMs)
  const work = new WorkBudget()
  for (const step of stepsOf(stage)) {
    if (step.event) actions.push({ type: 'event', event: step.event })
    const patch = step.finalizers && planFinalizers(object.metadata?.finalizers ?? [], step.finalizers)
    if (patch) actions.push({ type: 'patch', patchType: 'json', patch })
    if (step.delete) {
      actions.push({ type: 'delete' })
      break
    }
    if (step.patch) {
      const { template = '', root, subresource, type = 'strategic' } = step.patch
      const made = readYaml(renderTemplate(parseTemplate(template), object, functions, work), context)
      actions.push({ type: 'patch', patchType: type, patch: withRoot(made, root, type), ...(subresource && { subresource }) })
    }
  }
  return actions
}

function readYaml(text: string, { parseYaml }: StageContext): unknown {
  const plain = parsePlainYaml(text)
  if (plain !== undefined) return plain.value
  try {
    return parseYaml(text)
  } catch (error) {
    throw new TemplateError(`the template does not give YAML: ${(error as Error).message}`)
  }
}

function withRoot(patch: unknown, root: string | undefined, type: string): unknown {
  if (!root) return patch
  if (type !== 'json') return { [root]: patch }
  if (!Array.isArray(patch)) throw new TemplateError('the template of a JSON patch does not give a list')
  return (patch as { path: string }[]).map((operation) => ({ ...operation, path: `/${root}${operation.path}` }))
}

function planFinalizers(found: readonly string[], { add = [], remove = [], empty }: StageFinalizers): unknown[] | undefined {
  const removed = new Set(remove.map(({ value }) => value))
  const kept = empty ? [] : found.filter((one) => !removed.has(one))
  const next = [...kept, ...add.flatMap(({ value }) => (value && !kept.includes(value) ? [value] : []))]
  if (next.length === found.length && next.every((one, at) => one === found[at])) return undefined
  if (next.length === 0) return [{ op: 'remove', path: '/metadata/finalizers' }]
  return [{ op: found.length === 0 ? 'add' : 'replace', path: '/metadata/finalizers', value: next }]
}

type ContextFunctions = Readonly<Record<(typeof contextFunctionNames)[number], TemplateFunctions[string]>>

function contextFunctions({ nodeName, nodeIp, podIp, startedAtMs }: StageContext, nowMs: number): ContextFunctions {
  const podAddress = (_: unknown, isOnHost: unknown) => (isOnHost ? nodeIp : podIp)
  return {
    Now: () => formatMicroTime(nowMs),
    StartTime: () => formatMicroTime(startedAtMs),
    Version: () => kubeletVersion,
    NodeConditions: () => nextNodeConditions(undefined, nowMs),
    NodeName: () => nodeName,
    NodeIP: () => nodeIp,
    NodePort: () => 10250,
    NodeIPWith: () => nodeIp,
    NodeIPsWith: () => [nodeIp],
    PodIP: () => podIp,
    PodIPWith: podAddress,
    PodIPsWith: (node, isOnHost) => [podAddress(node, isOnHost)],
  }
}
