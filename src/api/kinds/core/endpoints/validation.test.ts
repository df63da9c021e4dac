import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { endpoints } from './kind.ts'
import { validateEndpoints } from './validation.ts'

const metadata = { name: 'a', namespace: 'default' }
const subject: Subject = { type: 'core.Endpoints', strategy: endpoints.strategy, base: { metadata } }
creates(validateEndpoints, subject, [
  ['a plain one', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }, []],
  ['no addresses', { subsets: [{}] }, ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`']],
  [
    'a link-local address',
    { subsets: [{ notReadyAddresses: [{ ip: '169.254.0.1' }] }] },
    ['subsets[0].notReadyAddresses[0].ip: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ],
])
