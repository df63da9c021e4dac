// Reads a timing file: how long the pods of each workload take to start, to stop and to pull. Throws an InputError with the place.
import type * as Yaml from 'yaml'
import { readSpreadText } from './arguments.ts'
import { InputError } from './input-error.ts'
import { readDocuments, type SourceText } from './manifests.ts'
import type { PlannedTiming } from './plan.ts'
import { YamlReader } from './yaml-reader.ts'

/** By workload, in lower case: `deployment/web` in any namespace, or `deployment/shop/web` in one. */
export type WorkloadTimings = Readonly<Record<string, PlannedTiming>>

export function readTimingFile(yaml: typeof Yaml, source: SourceText): WorkloadTimings {
  const [document, further] = readDocuments(yaml, source).filter(({ document }) => document.contents !== null)
  if (further !== undefined) throw new InputError('the file has several documents. Write one, without ---', { source: source.name })
  if (document === undefined) throw new InputError('the file is empty', { source: source.name })
  const root = new YamlReader(yaml, document, document.document.contents, 'the timing file')
  const workloads = root.fields(['format', 'workloads']).get('workloads')
  if (workloads === undefined) return root.fail('there is no field "workloads". rollcall record --learn writes such a file')
  return Object.fromEntries(
    [...workloads.fields()].map(([name, value]) => {
      if (!/^[a-z]+(\/[^\s/]+){1,2}$/i.test(name))
        value.fail(`cannot read workload "${name}". Write kind and name, such as deployment/web, or kind, namespace and name`)
      const timing = [...value.fields(['startup', 'stop', 'pull'])].map(([key, text]) => [key, readSpreadText(text.text(), text.fail)])
      return [name.toLowerCase(), Object.fromEntries(timing) as PlannedTiming]
    }),
  )
}
