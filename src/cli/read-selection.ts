// Reads the workloads that the flags of a command select, and connects to their cluster.
import { didYouMean } from '../base/closest-name.ts'
import { type LabelRequirements, parseSelector } from '../base/label-selector.ts'
import type { Client } from '../client/client.ts'
import { createHttpClient, type HttpClient } from '../client/http-client.ts'
import { rollcallVersion } from '../cluster/version.ts'
import type { WorkloadName } from '../simulate/live/readable-resources.ts'
import { kindNamed } from '../simulate/objects.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { readNamedKubeconfig } from './cluster-connection.ts'
import type { SelectionOptions } from './cluster-selection.ts'

export interface Selection {
  readonly client: HttpClient
  readonly server: string
  /** Absent: all namespaces. */
  readonly namespace?: string
  readonly workloads: readonly WorkloadName[]
  readonly selector: LabelRequirements
}

/** `kinds` are those that may be named. The caller closes the client. Throws an InputError. */
export async function readSelection(names: readonly string[], options: SelectionOptions, kinds: readonly string[]): Promise<Selection> {
  const workloads = names.map((name) => readName(name, kinds))
  const selector = readSelector(options.selector ?? '')
  const connection = await readNamedKubeconfig(options).catch((error: Error) => {
    throw new InputError(error.message)
  })
  const namespace = options.allNamespaces ? undefined : (options.namespace ?? connection.namespace ?? 'default')
  return {
    client: createHttpClient({ connection, name: `rollcall/${rollcallVersion}` }),
    server: connection.server,
    ...(namespace !== undefined && { namespace }),
    workloads,
    selector,
  }
}

/** For a cluster that does not answer. */
export const unreadable =
  ({ server }: Pick<Selection, 'server'>) =>
  (error: Error): never => {
    throw new Error(`Cannot read from ${server}: ${error.message}`)
  }

/** ` Did you mean …?`, of the workloads that there are; or nothing. */
export async function suggestionFor({ kind, name }: WorkloadName, client: Client, namespace: string | undefined): Promise<string> {
  const there = await client.list(kindNamed(kind), namespace === undefined ? {} : { namespace })
  return didYouMean(
    name,
    there.items.map(({ metadata }) => metadata.name),
  )
}

function readName(text: string, kinds: readonly string[]): WorkloadName {
  const [type = '', name = '', ...more] = text.split('/')
  if (type === '' || name === '' || more.length > 0)
    throw new InputError(`"${text}" is not a workload. Write kind/name, such as deployment/web.`)
  const kind = kindNameOf(type)
  if (kind === undefined || !kinds.includes(kind))
    throw new InputError(`"${text}" is not a workload. The kinds of workloads are ${kinds.join(', ')}.`)
  return { kind, name }
}

function kindNameOf(type: string): string | undefined {
  try {
    return kindNamed(type).kind
  } catch {
    return undefined
  }
}

function readSelector(text: string): LabelRequirements {
  try {
    return parseSelector(text, { key: () => [], value: () => [] })
  } catch (error) {
    throw new InputError(`--selector: ${(error as Error).message}`)
  }
}

/** Throws where a workload that the user named is not among the counted ones. */
export async function requireExisting(
  { workloads, client, namespace }: Selection,
  counts: readonly { readonly workload?: WorkloadName }[],
  /** Why a workload that exists is not counted. */
  reasonForAbsence: (named: WorkloadName) => string | undefined,
): Promise<void> {
  for (const named of workloads) {
    if (counts.some(({ workload }) => workload?.kind === named.kind && workload.name === named.name)) continue
    const reason = reasonForAbsence(named)
    if (reason !== undefined) throw new Error(`${named.kind}/${named.name} ${reason}`)
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`
    throw new Error(`${named.kind}/${named.name} does not exist${where}.${await suggestionFor(named, client, namespace)}`)
  }
}
