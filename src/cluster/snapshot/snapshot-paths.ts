// /rollcall/v1/snapshot: every stored object as of one revision, in pages. For cluster administrators only.
import { isJsonObject } from '../../api/machinery/json-object.ts'
import { badRequestError, expiredError, failure } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { type Clock, formatMicroTime } from '../../base/clock.ts'
import type { OwnRequest, OwnResponse } from '../../server/http/own-paths.ts'
import { CompactedError, FutureRevisionError, type Store, type StoredRecord } from '../../store/store.ts'
import { isRevision, type SavedObject } from './snapshot-file.ts'

export const snapshotPath = '/rollcall/v1/snapshot'

/** The body of a POST. Without fields: the first page, of the newest revision. */
export interface SnapshotPageRequest {
  /** The last key of the page before, and its revision. */
  readonly after?: string
  readonly revision?: number
}

export interface SnapshotPage {
  readonly revision: number
  readonly time: string
  readonly objects: readonly SavedObject[]
  /** Whether there are more. */
  readonly isCut: boolean
}

const pageRecords = 500
const pageCharacters = 4 * 2 ** 20

/** Answers undefined for other paths. */
export function answerSnapshot({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  return ({ method, path, body }: OwnRequest): OwnResponse | undefined => {
    if (path !== snapshotPath) return undefined
    if (method !== 'POST') throw failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
    const { after, revision = store.revision } = isJsonObject(body) ? (body as SnapshotPageRequest) : {}
    if (!isRevision(revision) || (after !== undefined && typeof after !== 'string'))
      throw badRequestError('the request needs the revision and the last key of the page before')
    try {
      const { records, remaining } = store.list('', { after, limit: pageRecords, revision })
      const page = upToSize(records)
      const isCut = remaining > 0 || page.length < records.length
      // The next page shows the same state, whatever is written until then.
      if (isCut) store.hold('', revision)
      return { body: { revision, time: formatMicroTime(clock.now()), objects: page.map(savedObjectOf), isCut } satisfies SnapshotPage }
    } catch (error) {
      if (error instanceof FutureRevisionError) throw badRequestError(error.message)
      if (error instanceof CompactedError) throw expiredError('the cluster has changed too much since the first page: save it again')
      throw error
    }
  }
}

function upToSize(records: readonly StoredRecord[]): readonly StoredRecord[] {
  let characters = 0
  let end = 0
  while (end < records.length && (end === 0 || characters + records[end]!.value.length <= pageCharacters))
    characters += records[end++]!.value.length
  return records.slice(0, end)
}

export const savedObjectOf = ({ key, createRevision, value }: StoredRecord): SavedObject => ({
  key,
  createRevision,
  object: JSON.parse(value) as KubernetesObject,
})
