import { expect, it } from 'vitest'
import type { Store, StoreEvent } from '../../store/store.ts'
import { Observer } from './observer.ts'

it('takes the renewals of an election with a ConfigMap for no activity', () => {
  let notify: (events: readonly StoreEvent[]) => void = () => {}
  const store = {
    revision: 5,
    watch: (_: string, __: number, onEvents: typeof notify) => {
      notify = onEvents
      return () => {}
    },
  } as unknown as Store
  const observer = new Observer({ store, judge: () => undefined })
  const put = (name: string, annotations: object) => {
    const record = { key: `configmaps/default/${name}`, revision: 6, value: JSON.stringify({ metadata: { name, annotations } }) }
    notify([{ type: 'put', record } as unknown as StoreEvent])
  }
  put('leader', { 'control-plane.alpha.kubernetes.io/leader': '{}' })
  put('settings', {})
  expect(observer.changes.map(({ key }) => key)).toEqual(['configmaps/default/settings'])
  const call = { verb: 'update', group: '', plural: 'configmaps', namespace: 'default', agent: 'operator', user: 'program' }
  observer.findFault({ ...call, name: 'leader' })
  observer.findFault({ ...call, name: 'settings' })
  expect(observer.requests.map(({ name }) => name)).toEqual(['settings'])
})
