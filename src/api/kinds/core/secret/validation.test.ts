import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { secrets } from './kind.ts'
import { validateSecret, validateSecretUpdate } from './validation.ts'

const frozen = 'field is immutable when `immutable` is set'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const secret: Subject = { type: 'core.Secret', strategy: secrets.strategy, base: { metadata } }
creates(validateSecret, secret, [
  ['a plain one', { data: { a: 'AAAA' } }, []],
  ['a wrong key', { data: { 'a b': 'AAAA' } }, [`data[a b]: Invalid value: "a b": ${key}`]],
  ['too much', { data: { a: 'A'.repeat(1_400_000) } }, ['data: Too long: may not be more than 1048576 bytes']],
  [
    'a token without a service account',
    { type: 'kubernetes.io/service-account-token' },
    ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ],
  ['half a key pair', { type: 'kubernetes.io/tls', data: { 'tls.crt': 'AAAA' } }, ['data[tls.key]: Required value']],
  ['no credentials', { type: 'kubernetes.io/basic-auth' }, ['data[username]: Required value', 'data[password]: Required value']],
  ['no private key', { type: 'kubernetes.io/ssh-auth' }, ['data[ssh-privatekey]: Required value']],
  ['good registries', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{"auths":{}}') } }, []],
  [
    'registries that cannot be read',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{') } },
    ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
  ],
  [
    'registries of another form',
    { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': btoa('[]') } },
    [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ],
])
updates(validateSecretUpdate, secret, [
  ['another type', { type: 'b' }, { type: 'a' }, [`type: Invalid value: "b": ${immutable}`]],
  ['a change of what is immutable', { immutable: true, data: { a: 'AAAA' } }, { immutable: true }, [`data: Forbidden: ${frozen}`]],
])
