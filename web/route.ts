// Which page the address names: `#/`, `#/nodes`, `#/node/node-1`, `#/time`, `#/time/default/web-1`, `#/workload/Deployment/default/web`.
import { useEffect, useState } from 'preact/hooks'

export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'nodes' }
  | { readonly page: 'node'; readonly name: string }
  /** `pod` is the one that a fault is for. */
  | { readonly page: 'time'; readonly pod?: string }
  | { readonly page: 'workload'; readonly key: string }

export function routeOf(hash: string): Route {
  const [page = '', ...rest] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  if (page === 'nodes') return { page }
  if (page === 'node' && rest.length === 1) return { page, name: rest[0]! }
  if (page === 'time') return rest.length === 2 ? { page, pod: rest.join('/') } : { page }
  return page === 'workload' && rest.length === 3 ? { page, key: rest.join('/') } : { page: 'overview' }
}

/** A person may have typed the address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const path = (...parts: readonly string[]) => `#/${parts.map(encodeURIComponent).join('/')}`

export const hashOf = (key: string): string => path('workload', ...key.split('/'))
export const nodeHash = (name: string): string => path('node', name)
export const faultHash = (namespace: string, pod: string): string => path('time', namespace, pod)

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const read = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return route
}
