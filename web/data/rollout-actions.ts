// Restart and undo, as kubectl rollout does them.
import { send } from '../session.ts'
import type { Fields } from './objects.ts'
import { pathOf } from './resources.ts'
import type { WorkloadRow } from './views.ts'

type Named = Pick<WorkloadRow, 'kind' | 'namespace' | 'name'>

/** The kinds whose pods are replaced when their template changes. */
export const rolledOut: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet']

const patchType = { contentType: 'application/strategic-merge-patch+json' }

/** Replaces all pods, by an annotation of their template. */
export async function restart({ kind, namespace, name }: Named, nowMs: number): Promise<void> {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z') }
  await send('PATCH', pathOf(kind, namespace, name), { spec: { template: { metadata: { annotations } } } }, patchType)
}

/** Makes the template of a revision the current one. `revision` is the name of its ReplicaSet or ControllerRevision. */
export async function undo({ kind, namespace, name }: Named, revision: string): Promise<void> {
  const path = pathOf(kind, namespace, name)
  if (kind !== 'Deployment') {
    const { data } = await send<{ readonly data: Fields }>('GET', pathOf('ControllerRevision', namespace, revision))
    await send('PATCH', path, data, patchType)
    return
  }
  const { spec } = await send<{ readonly spec: { readonly paused?: boolean } }>('GET', path)
  if (spec.paused === true) throw new Error('it is paused: resume it first')
  const { template } = (await send<{ readonly spec: { readonly template: Template } }>('GET', pathOf('ReplicaSet', namespace, revision)))
    .spec
  const { 'pod-template-hash': _, ...labels } = template.metadata?.labels ?? {}
  const value = { ...template, metadata: { ...template.metadata, labels } }
  await send('PATCH', path, [{ op: 'replace', path: '/spec/template', value }], { contentType: 'application/json-patch+json' })
}

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
}
