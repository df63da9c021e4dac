// Reads files with KWOK stages in their published form: Stage objects, one or more to a file, or in a List.
// Ours: Stages belong to KWOK, another program.
import { FileError, type Path, parseLocated } from '../located-yaml.ts'
import { type Stage, stageProblem } from './stage.ts'

/** Other objects in the folders of stages, which are skipped. */
const others = ['Kustomization', 'CustomResourceDefinition']
/** KWOK's own files also contain its configuration, logs and metrics. */
const isOfKwok = (apiVersion = '') => /^(?:config\.)?kwok\.x-k8s\.io\//.test(apiVersion)

/** Throws a FileError. */
export function readStageFile(text: string, source: string): Stage[] {
  const stages: Stage[] = []
  for (const document of parseLocated(text, source)) {
    const { items } = document.value as { readonly items?: unknown }
    const entries: (readonly [unknown, Path])[] = Array.isArray(items)
      ? items.map((item, at) => [item, ['items', at]])
      : [[document.value, []]]
    for (const [value, path] of entries) {
      const { kind, apiVersion } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Stage>
      if (kind !== undefined && (others.includes(kind) || (kind !== 'Stage' && isOfKwok(apiVersion)))) continue
      if (kind !== 'Stage' || !apiVersion?.startsWith('kwok.x-k8s.io/'))
        throw new FileError(document.at([...path, 'kind']), `kind ${JSON.stringify(kind ?? null)} is not a Stage of kwok.x-k8s.io`)
      const problem = stageProblem(value as Stage)
      if (problem !== undefined) throw new FileError(document.at([...path, 'metadata', 'name']), problem)
      stages.push(value as Stage)
    }
  }
  return stages
}
