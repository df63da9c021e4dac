// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { csiDrivers, validateCsiDriver, validateCsiDriverUpdate } from './kind.ts'

const driver: Subject = { type: 'storage.CSIDriver', strategy: csiDrivers.strategy, base: { metadata: { name: 'd' }, spec: {} } }
creates(validateCsiDriver, driver, [
  ['a good one', {}, []],
  [
    'unknown words and short times',
    { spec: { fsGroupPolicy: 'Some', volumeLifecycleModes: ['Short'], tokenRequests: [{ audience: 'a', expirationSeconds: 60 }] } },
    [
      'spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
      'spec.volumeLifecycleModes: Unsupported value: "Short": supported values: "Persistent", "Ephemeral"',
    ],
  ],
  [
    'tokens in Secrets that nothing requests',
    { spec: { serviceAccountTokenInSecrets: false } },
    ['spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no tokenRequests are specified'],
  ],
])
updates(validateCsiDriverUpdate, driver, [
  ['the same', {}, {}, []],
  [
    'what a driver keeps',
    { spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] } },
    {},
    [
      'spec.attachedRequired: Invalid value: false: field is immutable',
      'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
    ],
  ],
])
