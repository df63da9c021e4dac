import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FieldError, fieldErrorMessage } from '../field-error.ts'
import type { LabelSelector, ObjectMeta } from '../types.ts'
import { nameMessages, validateLabelSelector, validateMetadataOnUpdate, validateObjectMeta } from './metadata.ts'

const said = (errors: readonly FieldError[]) => errors.map(fieldErrorMessage)
const meta = (more: object = {}): ObjectMeta => ({ name: 'a', namespace: 'default', resourceVersion: '1', uid: 'u', ...more })
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'u' }

describe('validateObjectMeta()', () => {
  it('accepts what a pod carries', () => {
    const good = meta({
      generateName: 'web-',
      labels: { app: 'web', 'pod-template-hash': '7c9d' },
      annotations: { 'kubectl.kubernetes.io/restartedAt': 'now', 'Example.com/UPPER': '' },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      finalizers: ['orphan', 'example.com/keep'],
      managedFields: [{ manager: 'kubectl', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: {} }],
    })
    expect(validateObjectMeta(good, true, 'dns-subdomain')).toEqual([])
  })

  const rows: readonly [string, object, readonly string[]][] = [
    ['no name', { name: undefined }, ['metadata.name: Required value: name or generateName is required']],
    ['no namespace', { namespace: '' }, ['metadata.namespace: Required value']],
    ['a negative generation', { generation: -1 }, ['metadata.generation: Invalid value: -1: must be greater than or equal to 0']],
    [
      'annotations that are too large',
      { annotations: { a: 'x'.repeat(262144) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'annotations that are too large in bytes only',
      { annotations: { a: 'é'.repeat(131072) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'an owner with nothing in it',
      { ownerReferences: [{}] },
      [
        'metadata.ownerReferences[0].apiVersion: Required value: must not be empty',
        'metadata.ownerReferences[0].kind: Required value: must not be empty',
        'metadata.ownerReferences[0].name: Required value: must not be empty',
        'metadata.ownerReferences[0].uid: Required value: must not be empty',
      ],
    ],
    [
      'an event as owner',
      { ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] },
      [
        'metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    [
      'two controllers',
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, kind: 'Job', controller: true },
        ],
      },
      [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"a","uid":"u","controller":true},{"apiVersion":"apps/v1","kind":"Job","name":"a","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/a and Job/a',
      ],
    ],
    [
      'a finalizer without a domain',
      { finalizers: ['keep'] },
      ['metadata.finalizers[0]: Invalid value: "keep": name is neither a standard finalizer name nor is it fully qualified'],
    ],
    [
      'finalizers that contradict each other',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      ['metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set'],
    ],
    [
      'managed fields of no known form',
      { managedFields: [{ manager: 'a\u0007', operation: 'x', fieldsType: 'V2', subresource: 's'.repeat(257) }] },
      [
        'metadata.managedFields[0].operation: Invalid value: "x": must be `Apply` or `Update`',
        'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
        'metadata.managedFields[0].manager: Invalid value: "a\\a": invalid character U+0007 (at position 1)',
        'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
      ],
    ],
  ]
  it.each(rows)('refuses %s', (_, more, messages) => {
    expect(said(validateObjectMeta(meta(more), true, 'dns-subdomain'))).toEqual(messages)
  })

  it('refuses a namespace on a kind that has none', () => {
    expect(said(validateObjectMeta(meta(), false, 'dns-subdomain'))).toEqual(['metadata.namespace: Forbidden: not allowed on this type'])
  })
})

describe('nameMessages()', () => {
  it('counts the bytes of a long name, and leaves its prefix alone', () => {
    expect(nameMessages('a'.repeat(254), 'long-name')).toEqual(['must be no more than 253 bytes'])
    expect(nameMessages('a'.repeat(254), 'dns-subdomain')).toEqual(['must be no more than 253 characters'])
    expect(nameMessages('G.', 'long-name', true)).toEqual([])
    expect(nameMessages('G.', 'dns-subdomain', true)).toHaveLength(1)
  })

  it.each([
    ['a generated name may end in a dash', 'web-', 'dns-subdomain', true, 0],
    ['a name may not', 'web-', 'dns-subdomain', false, 1],
    ['a dot is no label', 'a.b', 'dns-label', false, 1],
    ['a digit starts no DNS-1035 label', '1a', 'dns1035-label', false, 1],
    ['a path segment takes nearly anything', 'A:b_c', 'path-segment', false, 0],
    ['but no slash', 'a/b', 'path-segment', false, 1],
  ] as const)('%s', (_, name, rule, prefix, count) => expect(nameMessages(name, rule, prefix)).toHaveLength(count))
})

describe('validateMetadataOnUpdate(), for changes', () => {
  const rows: readonly [string, object, object, readonly string[]][] = [
    ['nothing', {}, {}, []],
    ['no resourceVersion', { resourceVersion: '' }, {}, ['metadata.resourceVersion: Invalid value: "": must be specified for an update']],
    ['a smaller generation', { generation: 1 }, { generation: 2 }, ['metadata.generation: Invalid value: 1: must not be decremented']],
    ['another name', { name: 'b' }, {}, ['metadata.name: Invalid value: "b": field is immutable']],
    ['another uid', { uid: 'v' }, {}, ['metadata.uid: Invalid value: "v": field is immutable']],
    [
      'a deletion timestamp out of nowhere',
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      {},
      ['metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable'],
    ],
    [
      'new finalizers while it is being deleted',
      { deletionTimestamp: 't', finalizers: ['a.b/2', 'a.b/0', 'a.b/1'] },
      { deletionTimestamp: 't', finalizers: ['a.b/1'] },
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/0", "a.b/2"}',
      ],
    ],
  ]
  it.each(rows)('judges %s', (_, next, current, messages) => {
    expect([...new Set(said(validateMetadataOnUpdate(meta(next), meta(current), { namespaced: true })))]).toEqual(messages)
  })
})

describe('validateMetadataOnUpdate()', () => {
  it('repeats itself as Kubernetes does', () => {
    const errors = validateMetadataOnUpdate(meta({ labels: { 'a b': '' } }), meta(), { namespaced: true })
    expect(errors.map(({ field }) => field)).toEqual(['metadata.labels', 'metadata.labels', 'metadata.labels'])
    expect(validateMetadataOnUpdate(meta(), meta(), { namespaced: true })).toEqual([])
  })

  it.each([
    ['changes, the default', {}, 3, 1, 2],
    ['nothing on behalf of the kind', { checks: [] }, 2, 0, 1],
    ['as new', { checks: ['as new'] }, 3, 1, 1],
    ['changes and as new', { checks: ['changes', 'as new'] }, 4, 2, 2],
    ['any finalizer', { checks: ['changes', 'as new'], anyFinalizer: true }, 4, 0, 2],
  ] as const)('counts a label, a finalizer and a uid: %s', (_, rules, labels, finalizers, uids) => {
    const count = (next: object) => validateMetadataOnUpdate(meta(next), meta(), { namespaced: true, ...rules }).length
    expect([{ labels: { 'a b': '' } }, { finalizers: ['nope'] }, { uid: 'v' }].map(count)).toEqual([labels, finalizers, uids])
  })
})

describe('validateLabelSelector()', () => {
  const rows: readonly [string, LabelSelector | undefined, readonly string[]][] = [
    ['nothing', undefined, []],
    ['the empty selector', {}, []],
    [
      'In without values',
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      ["s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
    ],
    [
      'Exists with values',
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      ["s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
    ],
    [
      'an unknown operator',
      { matchExpressions: [{ key: 'a', operator: 'Like' }] },
      ['s.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator'],
    ],
  ]
  it.each(rows)('judges %s', (_, selector, messages) => expect(said(validateLabelSelector(selector, 's'))).toEqual(messages))

  it('accepts stored values with the option for it', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] }
    expect(validateLabelSelector(selector, 's')).toHaveLength(1)
    expect(validateLabelSelector(selector, 's', { allowInvalidValues: true })).toEqual([])
  })
})

describe('metadata', () => {
  it('may be anything of the right types', () => {
    const text = fc.string()
    const texts = fc.dictionary(text, text)
    const arbitrary = fc.record(
      {
        name: text,
        generateName: text,
        namespace: text,
        labels: texts,
        annotations: texts,
        finalizers: fc.array(text),
        ownerReferences: fc.array(fc.record({ apiVersion: text, kind: text, name: text, uid: text, controller: fc.boolean() })),
        managedFields: fc.array(fc.record({ manager: text, operation: text, fieldsType: text, subresource: text }, { requiredKeys: [] })),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(arbitrary, arbitrary, (next, current) => {
        validateObjectMeta(next as ObjectMeta, true, 'dns-label').map(fieldErrorMessage)
        validateMetadataOnUpdate(next as ObjectMeta, current as ObjectMeta, { namespaced: false }).map(fieldErrorMessage)
      }),
    )
  })
})
