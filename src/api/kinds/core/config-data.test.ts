import { creates, type Subject, updates } from '../../testing/judge-rows.ts'
import { configMapStrategy } from './config-map/strategy.ts'
import { validateConfigMap, validateConfigMapUpdate } from './config-map/validation.ts'
import { secretStrategy } from './secret/strategy.ts'
import { validateSecret, validateSecretUpdate } from './secret/validation.ts'

const frozen = 'field is immutable when `immutable` is set'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

const configMap: Subject = { type: 'core.ConfigMap', strategy: configMapStrategy, base: { metadata } }
creates(validateConfigMap, configMap, [
  ['a plain one', { data: { a: 'b', '.c_d-e': '' }, binaryData: { f: 'AAAA' } }, []],
  ['a key with a slash', { data: { 'a/b': '' } }, [`data[a/b]: Invalid value: "a/b": ${key}`]],
  [
    'a key that is there twice',
    { data: { a: '' }, binaryData: { a: 'AAAA' } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  ['too much', { data: { a: 'x'.repeat(1048577) } }, [': Too long: may not be more than 1048576 bytes']],
])
updates(validateConfigMapUpdate, configMap, [
  ['a change', { data: { a: 'c' } }, { data: { a: 'b' } }, []],
  [
    'a change of what is immutable',
    { immutable: true, data: { a: 'c' } },
    { immutable: true, data: { a: 'b' } },
    [`data: Forbidden: ${frozen}`],
  ],
  ['the end of immutability', {}, { immutable: true }, [`immutable: Forbidden: ${frozen}`]],
])

const secret: Subject = { type: 'core.Secret', strategy: secretStrategy, base: { metadata } }
creates(validateSecret, secret, [
  ['a plain one', { data: { a: 'AAAA' } }, []],
  ['a wrong key', { data: { 'a b': 'AAAA' } }, [`data[a b]: Invalid value: "a b": ${key}`]],
  ['too much', { data: { a: 'A'.repeat(1_400_000) } }, ['data: Too long: may not be more than 1048576 bytes']],
  [
    'a token of nobody',
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
