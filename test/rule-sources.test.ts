// The rules name the declarations of Kubernetes that they follow.
import { describe, expect, it } from 'vitest'

interface Sources {
  readonly names: readonly { readonly package: string; readonly name: string }[]
  readonly isOurs: boolean
  readonly wrong: readonly string[]
}
const load = (name: string) => import(new URL(`../scripts/${name}.mjs`, import.meta.url).href)
const { readRuleSources, readAllSources, findUnnamedSources, filesOfNames } = (await load('rule-sources')) as {
  readRuleSources(text: string): Sources
  readAllSources(): ReadonlyMap<string, Sources>
  filesOfNames(all: ReadonlyMap<string, Sources>): ReadonlyMap<string, readonly string[]>
  findUnnamedSources(all: ReadonlyMap<string, Sources>, modules: unknown, patterns?: readonly RegExp[]): string[]
}
const { Modules, pinnedVersion } = await load('kubernetes-changes/modules')

it('are named in every file of rules, by names that the pinned Kubernetes has', () =>
  expect(findUnnamedSources(readAllSources(), Modules.cached(pinnedVersion()))).toEqual([]))

describe('readRuleSources()', () => {
  it.each([
    ['a function', '// Kubernetes: pkg/apis/core/validation.ValidatePod', ['pkg/apis/core/validation.ValidatePod']],
    ['a method', '// Kubernetes: pkg/controller/job.Controller.syncJob', ['pkg/controller/job.Controller.syncJob']],
    [
      'several of one package',
      '  // Kubernetes: k8s.io/apiserver/pkg/endpoints.A, b, C.d',
      ['k8s.io/apiserver/pkg/endpoints.A', 'k8s.io/apiserver/pkg/endpoints.b', 'k8s.io/apiserver/pkg/endpoints.C.d'],
    ],
    ['all methods of a type', '// Kubernetes: pkg/registry/pod.podStrategy.*', ['pkg/registry/pod.podStrategy.*']],
    ['a package with a version', '// Kubernetes: gopkg.in/evanphx/json-patch.v4.MergePatch', ['gopkg.in/evanphx/json-patch.v4.MergePatch']],
    ['several packages', '// Kubernetes: pkg/a.A, pkg/b.B, C', ['pkg/a.A', 'pkg/b.B', 'pkg/b.C']],
  ])('reads %s', (_, line, names) => {
    const found = readRuleSources(`${line}\nexport const one = 1\n`)
    expect(found.names.map(({ package: of, name }) => `${of}.${name}`)).toEqual(names)
    expect(found.wrong).toEqual([])
  })

  it('reads the reason of a rule that is ours', () =>
    expect(readRuleSources('// Ours: a policy is a feature of the proposals.\n')).toEqual({ names: [], isOurs: true, wrong: [] }))

  it.each([
    ['a package without a name', '// Kubernetes: pkg/apis/core/validation'],
    ['a name without a package', '// Kubernetes: ValidatePod'],
    ['words after the name', '// Kubernetes: pkg/apis/core/validation.ValidatePod, but shorter'],
    ['a name at the end of a sentence', '// Checks pods. Kubernetes: pkg/apis/core/validation.ValidatePod'],
    ['a name in a block comment', '/** Kubernetes: pkg/apis/core/validation.ValidatePod */'],
    ['no reason', '// Ours: yes'],
  ])('refuses %s', (_, line) => expect(readRuleSources(line).wrong).toEqual([line]))
})

describe('findUnnamedSources()', () => {
  const modules = {
    version: 'v1.36.4',
    moduleOf: (path: string) => (path.startsWith('pkg/') ? 'k8s.io/kubernetes' : undefined),
    folder: (path: string) => (path === 'pkg/not/cached' ? undefined : path),
    package: () =>
      new Map([
        ['Known', {}],
        ['strategy.Validate', {}],
      ]),
  }
  const check = (text: string, given: unknown) =>
    findUnnamedSources(new Map([['src/rules/one.ts', readRuleSources(text)]]), given, [/^src\/rules\//])
  const breaches = (text: string) => check(text, modules)

  it('accepts a name that exists', () => expect(breaches('// Kubernetes: pkg/a.Known')).toEqual([]))
  it('accepts all methods of a type that has some', () => expect(breaches('// Kubernetes: pkg/a.strategy.*')).toEqual([]))
  it('refuses all methods of a type that has none', () =>
    expect(breaches('// Kubernetes: pkg/a.Known.*')).toEqual(['src/rules/one.ts: Kubernetes v1.36.4 has no pkg/a.Known.*']))
  it('accepts a rule that is ours', () => expect(breaches('// Ours: it is about our own policies.')).toEqual([]))
  it('refuses a name that does not exist', () =>
    expect(breaches('// Kubernetes: pkg/a.Unknown')).toEqual(['src/rules/one.ts: Kubernetes v1.36.4 has no pkg/a.Unknown']))
  it('refuses a module that Kubernetes is not built from', () =>
    expect(breaches('// Kubernetes: example.com/a.Known')).toEqual([
      'src/rules/one.ts: example.com/a is in no module of Kubernetes v1.36.4',
    ]))
  it('accepts any name where the sources are not in the module cache', () => {
    expect(breaches('// Kubernetes: pkg/not/cached.Unknown')).toEqual([])
    expect(check('// Kubernetes: pkg/a.Unknown', undefined)).toEqual([])
  })
  it('refuses a file of rules that says neither', () =>
    expect(breaches('export const one = 1')).toEqual([
      'src/rules/one.ts: say which declaration of Kubernetes the rules follow (// Kubernetes: package.Name) or why they are ours (// Ours: reason)',
    ]))
})

it('gives our files by the name that they follow', () =>
  expect([
    ...filesOfNames(
      new Map([
        ['src/a.ts', readRuleSources('// Kubernetes: pkg/a.One, Two')],
        ['src/b.ts', readRuleSources('// Kubernetes: pkg/a.One')],
      ]),
    ),
  ]).toEqual([
    ['pkg/a.One', ['src/a.ts', 'src/b.ts']],
    ['pkg/a.Two', ['src/a.ts']],
  ]))
