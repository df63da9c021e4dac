// Which page the address names: `#/`, `#/nodes`, `#/time`, `#/workload/Deployment/default/web`.
import { useEffect, useState } from 'preact/hooks'

export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'nodes' }
  | { readonly page: 'time' }
  | { readonly page: 'workload'; readonly key: string }

export function routeOf(hash: string): Route {
  const [page = '', ...rest] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent)
  if (page === 'nodes' || page === 'time') return { page }
  return page === 'workload' && rest.length === 3 ? { page, key: rest.join('/') } : { page: 'overview' }
}

export const hashOf = (key: string): string => `#/workload/${key.split('/').map(encodeURIComponent).join('/')}`

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const read = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return route
}
