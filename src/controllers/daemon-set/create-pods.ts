// Creates the pods of a DaemonSet, each for its node, and tells of it.
import { pods } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Pod } from '../../api/types.ts'
import { runSlowStart } from '../../runtime/slow-start.ts'
import type { PodWriter } from '../replica-set/write-pods.ts'

/** Resolves to the first failure's message, or undefined. */
export async function applyCreations(writer: PodWriter, wanted: readonly Pod[]): Promise<string | undefined> {
  if (wanted.length === 0) return undefined
  const { expectations, key } = writer
  if (Object.keys(wanted[0]?.metadata?.labels ?? {}).length === 0) return 'unable to create pods, no labels'
  expectations.expectCreations(key, wanted.length)
  const { successes, error } = await runSlowStart(wanted.length, (index) => applyCreation(writer, wanted[index]!))
  for (let skipped = wanted.length - successes; skipped > 0; skipped--) expectations.creationObserved(key)
  return error === undefined ? undefined : messageOf(error)
}

async function applyCreation({ client, recorder, namespace, about }: PodWriter, pod: Pod): Promise<void> {
  try {
    const { metadata } = await client.create(pods, namespace, pod)
    recorder.record(about, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata.name}`)
  } catch (error) {
    // Nothing can be created any more, and nobody is left to tell. It stays expected, so that it is not tried again soon.
    if (isNamespaceTerminating(error)) return
    recorder.record(about, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`)
    throw error
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isNamespaceTerminating = (error: unknown) =>
  isStatusError(error) && (error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)
