// What `npm run kubernetes-changes` reads from Go sources, and how it compares two versions.
import { describe, expect, it } from 'vitest'

interface Declaration {
  readonly name: string
  readonly kind: string
  readonly file: string
  readonly text: string
  readonly source: string
  readonly uses: readonly string[]
}
type Package = ReadonlyMap<string, Declaration>
type Files = Readonly<Record<string, string>>

const load = (name: string) => import(new URL(`../scripts/kubernetes-changes/${name}.mjs`, import.meta.url).href)
const { readPackage } = (await load('go-source')) as { readPackage(files: [string, string][]): Package }
const { changedLines, compareNamed, comparePackage } = await load('functions')
const { format } = await load('report')
const { compareMaps, compareTypes, readGates, readResources, readTypes } = await load('facts')

const read = (files: Files) => readPackage(Object.entries(files))
const names = (files: Files) => [...read(files).values()].map(({ kind, name }) => `${kind} ${name}`)

describe('readPackage()', () => {
  it('finds functions, methods, types, variables and constants', () => {
    const text = `package birds

import (
	"fmt"
)

const limit = 3

const (
	// A comment with func Nothing() {
	first = iota
	second, third
)

var (
	table = map[string]int{
		"func Text() {": 1,
	}
	raw = \`
func Raw() {
\`
)

type (
	Bird struct {
		Name string
	}
	Flock []Bird
)

type Pair[K comparable, V any] struct {
	key K
}

func (b *Bird) Sing(times int) interface{} {
	return fmt.Sprint('"', times)
}

func (Flock) Size() int { return 0 }

func (p *Pair[K, V]) Key() K { return p.key }

func Map[T any](all []T) []T {
	return all
}

func init() {}

var _ fmt.Stringer = nil
`
    expect(names({ 'birds.go': text })).toEqual([
      'const limit',
      'const first',
      'const second',
      'const third',
      'var table',
      'var raw',
      'type Bird',
      'type Flock',
      'type Pair',
      'func Bird.Sing',
      'func Flock.Size',
      'func Pair.Key',
      'func Map',
    ])
  })

  it('keeps the text of a declaration the same when comments, line breaks and trailing commas change', () => {
    const one = 'package a\n\n// Says it.\nfunc Say(a, b string) string {\n\treturn join(a, b) // both\n}\n'
    const other = 'package a\n\nfunc Say(a, b string) string {\n\t/* with */ return join(\n\t\ta,\n\t\tb,\n\t)\n}\n'
    const different = 'package a\n\nfunc Say(a, b string) string {\n\treturn join(b, a)\n}\n'
    const textOf = (text: string) => read({ 'a.go': text }).get('Say')!.text
    expect(textOf(other)).toBe(textOf(one))
    expect(textOf(different)).not.toBe(textOf(one))
  })

  it('tells which declarations of the package a function uses', () => {
    const files = {
      'a.go':
        'package a\n\nfunc Validate(o *Object) error {\n\treturn check(o, other.limit, words)\n}\n\nfunc check(o *Object, n int) error { return nil }\n',
      'b.go':
        'package a\n\ntype Object struct{}\n\nvar words = 1\n\nvar limit = 2\n\nfunc (o *Object) Run() { o.step(); p.stop() }\n\nfunc (o *Object) step() {}\n\nfunc (o *Object) stop() {}\n',
    }
    const found = read(files)
    expect(found.get('Validate')!.uses).toEqual(['Object', 'check', 'words'])
    expect(found.get('Object.Run')!.uses).toEqual(['Object', 'Object.step'])
  })
})

describe('compareNamed()', () => {
  const old = read({
    'validation.go':
      'package v\n\nfunc Same() { helper() }\n\nfunc helper() { deeper() }\n\nfunc deeper() { say("a") }\n\nfunc Changed() { say("a") }\n\nfunc Gone(of *Nest) error { return check(of, 3) }\n\nfunc Moved() { one.two(3) }\n',
    'other.go': 'package v\n\nfunc Elsewhere() {}\n',
  })
  const next = read({
    'validation.go':
      'package v\n\nfunc Same() { helper() }\n\nfunc helper() { deeper() }\n\nfunc deeper() { say("b") }\n\nfunc Changed() {\n\tsay("b")\n}\n\nfunc GoneElsewhere(of *Nest) error { return check(of, 4) }\n\nfunc Added(a int) {}\n\nfunc New() {}\n',
    'other.go': 'package v\n\nfunc Elsewhere() {}\n\nfunc NotNear() {}\n',
  })
  const named = new Map(
    ['Same', 'Changed', 'Gone', 'Moved', 'New', 'Never'].map((name) => [`pkg/v.${name}`, [`src/${name.toLowerCase()}.ts`]] as const),
  )
  const changes = compareNamed(
    named,
    () => old,
    () => next,
    (name: string) => (name === 'Moved' ? ['pkg/v', 'pkg/w'] : ['pkg/v']),
  )

  it('finds changed declarations, with our files', () =>
    expect(changes.changed).toEqual([{ name: 'pkg/v.Changed', files: ['src/changed.ts'], gained: 3, lost: 1 }]))
  it('finds changed ones that named ones use, directly or not', () =>
    expect(changes.helpers).toEqual([{ name: 'pkg/v.deeper', isNew: false, gained: 1, lost: 1, usedBy: ['Same'], files: ['src/same.ts'] }]))
  it('finds removed and moved ones, and what they may be called now', () =>
    expect(changes.removed).toEqual([
      { name: 'pkg/v.Gone', files: ['src/gone.ts'], successor: 'GoneElsewhere', movedTo: [] },
      { name: 'pkg/v.Moved', files: ['src/moved.ts'], successor: undefined, movedTo: ['pkg/w'] },
    ]))
  it('finds named ones that are new', () => expect(changes.added).toEqual([{ name: 'pkg/v.New', files: ['src/new.ts'] }]))
  it('finds names that neither version has', () => expect(changes.unknown).toEqual([{ name: 'pkg/v.Never', files: ['src/never.ts'] }]))
  it('finds new functions in the files of named ones', () =>
    expect(changes.unnamed).toEqual([
      { name: 'pkg/v.Added', source: 'validation.go' },
      { name: 'pkg/v.GoneElsewhere', source: 'validation.go' },
    ]))

  it('lists all changes of a package', () =>
    expect(
      comparePackage(
        'pkg/v',
        () => old,
        () => next,
        named,
      ).map(({ name, what }: { name: string; what: string }) => `${what} ${name}`),
    ).toEqual([
      'added pkg/v.Added',
      'changed pkg/v.Changed',
      'removed pkg/v.Gone',
      'added pkg/v.GoneElsewhere',
      'removed pkg/v.Moved',
      'added pkg/v.New',
      'added pkg/v.NotNear',
      'changed pkg/v.deeper',
    ]))
})

describe('changedLines()', () => {
  it('counts no comments, no indentation and no order', () =>
    expect(changedLines('// A.\nfunc A() {\n\tb()\n\tc()\n}', 'func A() { // B\n\t/* C\n\tD */\n\t\tc()\n\tb()\n}')).toEqual({
      gained: 0,
      lost: 0,
    }))
  it('counts lines that are there more often', () =>
    expect(changedLines('func A() {\n\tb()\n}', 'func A() {\n\tb()\n\tb()\n\tc()\n}')).toEqual({ gained: 2, lost: 0 }))
})

const table = (name: string, lines: Readonly<Record<string, string>>) =>
  `export const ${name}: Readonly<Record<string, string>> = {\n${Object.entries(lines)
    .map(([key, text]) => `  '${key}': \`${text}\`,\n`)
    .join('')}}\n`

describe('compareTypes()', () => {
  const types = (lines: Readonly<Record<string, string>>) =>
    readTypes(`${table('kubernetesResources', { 'birds.Bird': 'birds/v1 Bird birds' })}\n${table('kubernetesTypes', lines)}`)

  const old = types({
    'birds.Bird': '$typeMeta object\nspec birds.Spec #2\nstatus birds.Status #3',
    'birds.Egg': 'size *int32 #1',
    'nests/v1beta1.Nest': 'twigs []nests/v1beta1.Twig list=atomic #1',
  })
  const next = types({
    'birds.Bird': '$typeMeta object\nspec birds.Spec always required #2\nsong *string #4',
    'birds.Wing': 'side string #1',
    'nests.Nest': 'twigs []nests.Twig list=set #1',
  })

  it('finds types and fields that were added, removed, changed or are in another version', () =>
    expect(compareTypes(old, next)).toEqual({
      types: {
        added: [{ name: 'birds.Wing', fields: ['side string #1'] }],
        removed: [{ name: 'birds.Egg' }],
        moved: [{ name: 'nests.Nest', before: 'nests/v1beta1.Nest' }],
      },
      fields: {
        added: [{ name: 'birds.Bird.song', attributes: ['*string', '#4'] }],
        removed: [{ name: 'birds.Bird.status' }],
        changed: [
          { name: 'birds.Bird.spec', lost: [], gained: ['always', 'required'] },
          { name: 'nests.Nest.twigs', lost: ['list=atomic'], gained: ['list=set'] },
        ],
      },
    }))
})

describe('readGates()', () => {
  const list = [
    {
      name: 'Singing',
      versionedSpecs: [
        { default: false, lockToDefault: false, preRelease: 'Alpha', version: '1.35' },
        { default: true, lockToDefault: false, preRelease: 'Beta', version: '1.37' },
      ],
    },
    { name: 'Flying', versionedSpecs: [{ default: true, lockToDefault: true, preRelease: 'GA', version: '1.36' }] },
  ]
  it('reads the state in a minor version', () => {
    expect([...readGates(list, 36)]).toEqual([
      ['Singing', 'off ALPHA'],
      ['Flying', 'on GA locked'],
    ])
    expect([...readGates(list, 35)]).toEqual([['Singing', 'off ALPHA']])
  })
  it('is compared by name', () =>
    expect(compareMaps(readGates(list, 35), readGates(list, 37))).toEqual({
      added: [{ name: 'Flying', now: 'on GA locked' }],
      removed: [],
      changed: [{ name: 'Singing', before: 'off ALPHA', now: 'on BETA' }],
    }))
})

it('reads endpoints without the hash of their storage', () =>
  expect([
    ...readResources([{ groupVersion: 'birds/v1', resources: [{ name: 'birds', storageVersionHash: 'x', verbs: ['get'] }] }]),
  ]).toEqual([['birds/v1 birds', '{"verbs":["get"]}']]))

it('prints what changed as groups with counts', () => {
  const nothing = { added: [], removed: [], changed: [] }
  const text = format.all({
    from: 'v1.1.0',
    to: 'v1.2.0',
    resources: { ...nothing, added: [{ name: 'birds/v1 birds', now: '{"verbs":["get"]}' }] },
    types: { added: [], removed: [], moved: [] },
    fields: { ...nothing, changed: [{ name: 'birds.Bird.spec', lost: ['*string'], gained: ['string'] }] },
    gates: { ...nothing, changed: [{ name: 'Singing', before: 'off ALPHA', now: 'on BETA', files: ['src/song.ts'] }] },
    functions: {
      changed: [{ name: 'pkg/a.One', gained: 3, lost: 1, files: ['src/one.ts'] }],
      helpers: [{ name: 'pkg/a.help', isNew: true, usedBy: ['A', 'B', 'C', 'D'], files: ['src/one.ts'] }],
      removed: [{ name: 'pkg/a.Two', files: ['src/two.ts'], successor: 'Three', movedTo: ['pkg/b'] }],
      added: [],
      unknown: [],
      unnamed: [{ name: 'pkg/a.Four', source: 'a.go' }],
    },
    named: 2,
  })
  expect(text).toBe(`Kubernetes v1.1.0 → v1.2.0

Resources added (1)
  birds/v1 birds

Fields changed (1)
  birds.Bird.spec  -*string +string

Feature gates changed (1)
  Singing  off ALPHA → on BETA
      ours: src/song.ts

Named functions that were removed or moved (1)
  pkg/a.Two
      now Three?
      now pkg/b?
      ours: src/two.ts

Named functions that changed, with lines gained and lost (1)
  pkg/a.One  +3 -1
      ours: src/one.ts

Functions that named ones use, and that changed or are new (1)
  pkg/a.help  new
      used by A, B, C, 1 more
      ours: src/one.ts

New functions in the same files, that no rule names (1)
  pkg/a.Four  a.go

resources: 1 added, 0 removed, 0 changed
types: 0 added, 0 removed, 0 in another version
fields: 0 added, 0 removed, 1 changed
feature gates: 0 added, 0 removed, 1 changed
functions that rules name: 2, of which 1 changed, 1 removed or moved, 0 new, 0 unknown
changed or new functions that they use: 1
new functions in their files: 1
`)
})
