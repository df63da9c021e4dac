// Reads from an earlier state: those that a real API server may answer from a cache that is behind.
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import type { ListQuery, ListResponse, ObjectResponse, Rest, WatchEvent, WatchListener, WatchQuery } from '../rest/rest.ts'
import type { RequestFault } from './request-faults.ts'

/** A list without a resourceVersion is consistent in Kubernetes, and so is one of an exact revision. */
export function asOfQuery(query: ListQuery, fault: RequestFault | undefined): ListQuery {
  const asOf = fault?.asOf
  const { resourceVersion, resourceVersionMatch, continue: token, limit: _, ...rest } = query
  if (asOf === undefined || token || resourceVersionMatch === 'Exact' || !resourceVersion || Number(resourceVersion) > asOf) return query
  return { ...rest, resourceVersion: String(asOf), resourceVersionMatch: 'Exact' }
}

interface Watch {
  readonly rest: Rest
  readonly kind: Kind
  readonly namespace: string
  readonly query: WatchQuery
}

export function watchWithFault(
  { rest, kind, namespace, query }: Watch,
  fault: RequestFault | undefined,
  watcher: WatchListener,
): () => void {
  const from = Number(query.resourceVersion ?? '')
  const beginsWithState = query.sendInitialEvents ?? from === 0
  const gate = fault?.openWatch?.(watcher, beginsWithState)
  if (gate === undefined) return rest.watch(kind, namespace, query, watcher)
  const close = open()
  gate.started()
  return () => {
    close()
    gate.close()
  }

  function open(): () => void {
    const asOf = fault?.asOf
    // A watch that begins with the state of an empty resourceVersion is consistent in Kubernetes.
    if (asOf === undefined || !beginsWithState || !query.resourceVersion || from > asOf) return rest.watch(kind, namespace, query, gate!)
    const { labelSelector, fieldSelector, resourceVersionMatch: _, sendInitialEvents: __, ...others } = query
    const selectors = { ...(labelSelector !== undefined && { labelSelector }), ...(fieldSelector !== undefined && { fieldSelector }) }
    const past = rest.list(kind, namespace, { ...selectors, resourceVersion: String(asOf), resourceVersionMatch: 'Exact' })
    gate!.onEvents([...initialEvents(past), ...(query.allowWatchBookmarks ? [endOfInitial(kind, asOf)] : [])])
    gate!.started()
    return rest.watch(kind, namespace, { ...others, ...selectors, resourceVersion: String(asOf) }, gate!)
  }
}

const initialEvents = ({ items }: ListResponse): WatchEvent[] => items.map((object) => ({ type: 'ADDED', object }))

function endOfInitial(kind: Kind, revision: number): WatchEvent {
  const metadata = { resourceVersion: String(revision), annotations: { 'k8s.io/initial-events-end': 'true' } }
  const object: ObjectResponse = {
    kind,
    json: JSON.stringify({ metadata }),
    object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata },
  }
  return { type: 'BOOKMARK', object }
}
