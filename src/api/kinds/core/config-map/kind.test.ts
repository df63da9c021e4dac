import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { configMaps, validateConfigMap, validateConfigMapUpdate } from './kind.ts'

const frozen = 'field is immutable when `immutable` is set'
const metadata = { name: 'a', namespace: 'default' }
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const configMap: Subject = { type: 'core.ConfigMap', strategy: configMaps.strategy, base: { metadata } }
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
