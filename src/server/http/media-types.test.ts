import { describe, expect, it } from 'vitest'
import {
  bodyFormat,
  mediaTypes,
  negotiatePlain,
  negotiateStatus,
  negotiateView,
  negotiateWithoutTable,
  patchFormat,
} from './media-types.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const protobuf = 'application/vnd.kubernetes.protobuf'

describe('negotiateWithoutTable()', () => {
  it('takes what else there is, and refuses a table alone', () => {
    expect(negotiateWithoutTable(`${table},application/yaml`)).toMatchObject({ format: 'yaml' })
    expect(negotiateWithoutTable('application/json')).toMatchObject({ format: 'json' })
    expect(() => negotiateWithoutTable(table)).toThrow('only the following media types are accepted')
  })
})

describe('negotiatePlain()', () => {
  it.each([
    ['nothing', undefined, 'json'],
    ['YAML', 'application/yaml', 'yaml'],
    ['what is not converted', `${table},application/yaml`, 'yaml'],
  ])('chooses %s', (_, accept, format) => expect(negotiatePlain(accept, mediaTypes)).toBe(format))

  it.each([
    ['a table', table, mediaTypes, 'only the following media types are accepted'],
    ['an unknown type', 'text/html', mediaTypes, '406: Not Acceptable'],
    ['an unknown type without a router', 'text/html', undefined, 'only the following media types are accepted'],
  ])('refuses %s', (_, accept, types, message) => expect(() => negotiatePlain(accept, types)).toThrow(message))
})

describe('negotiateView()', () => {
  it.each([
    ['nothing', undefined, { format: 'json' }],
    ['anything', '*/*', { format: 'json' }],
    ['YAML', 'application/yaml', { format: 'yaml' }],
    ['what is wanted more', 'application/json;q=0.5, application/yaml;q=0.9', { format: 'yaml' }],
    ['the first of two alike', 'application/yaml, application/json', { format: 'yaml' }],
    ['a name before a star', '*/*, application/yaml', { format: 'yaml' }],
    ['protobuf or JSON', `${protobuf}, application/json`, { format: 'json' }],
    ['protobuf or anything', `${protobuf}, */*`, { format: 'json' }],
    ['a table', table, { format: 'json', as: 'Table', version: 'v1' }],
    ['what kubectl sends', `${table},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`, { as: 'Table', version: 'v1' }],
    ['an old table', 'application/json;as=Table;v=v1beta1;g=meta.k8s.io', { as: 'Table', version: 'v1beta1' }],
    [
      'metadata only, or protobuf of it',
      `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json`,
      { as: 'PartialObjectMetadata' },
    ],
    ['an unknown conversion, or JSON', 'application/json;as=Nothing;v=v1;g=meta.k8s.io, application/json', { format: 'json' }],
    ['many lines', 'application/json;pretty=1', { pretty: true }],
    ['a stream', 'application/json;stream=watch', { format: 'json' }],
  ])('chooses %s', (_name, accept, expected) => {
    expect(negotiateView(accept, true)).toEqual({ format: 'json', version: 'v1', pretty: false, ...expected })
  })

  const notKnown =
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf'
  it.each([
    [
      'an unknown type, for a list',
      'text/html+nope',
      true,
      `${notKnown}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
    ],
    ['an unknown type, for one object', 'text/html', false, notKnown],
    [
      'protobuf alone',
      protobuf,
      false,
      'the request accepts only application/vnd.kubernetes.protobuf, and responses are not encoded as protobuf: accept application/json too (in client-go, AcceptContentTypes: "application/vnd.kubernetes.protobuf,application/json")',
    ],
    ['half a star', 'application/*', false, notKnown],
    [
      'an unknown conversion',
      'application/json;as=Nothing;v=v1;g=meta.k8s.io',
      false,
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
  ])('refuses %s', (_name, accept, isList, message) => {
    expect(() => negotiateView(accept, isList)).toThrow(expect.objectContaining({ message, code: 406 }))
  })
})

describe('negotiateStatus()', () => {
  it.each([
    [undefined, 'json'],
    ['application/yaml', 'yaml'],
    [table, undefined],
    [`${table}, application/json`, 'json'],
    ['text/html', undefined],
  ])('of %j is %j', (accept, expected) => {
    expect(negotiateStatus(accept)).toBe(expected)
  })
})

describe('bodyFormat() and patchFormat()', () => {
  it.each([
    [undefined, 'json'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/yaml', 'yaml'],
    [protobuf, 'protobuf'],
  ])('of %j is %s', (type, expected) => {
    expect(bodyFormat(type)).toBe(expected)
  })

  it.each(['text/plain', 'application/cbor', 'application/json/x', 'nonsense'])('refuses %s', (type) => {
    expect(() => bodyFormat(type)).toThrow(
      expect.objectContaining({
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      }),
    )
  })

  it('knows four kinds of patches', () => {
    expect(patchFormat('application/strategic-merge-patch+json; charset=utf-8')).toBe('strategic')
    expect(patchFormat('application/apply-patch+yaml')).toBe('apply')
    for (const type of ['application/json', undefined, '__proto__'])
      expect(() => patchFormat(type)).toThrow(expect.objectContaining({ code: 415, message: '415: Unsupported Media Type' }))
  })
})
