// Bodies of patches of all four kinds, and YAML, that are wrong in some way.
import type { Random } from '../../src/base/random.ts'
import { below, chance, pick, strangeTexts, strangeValue, writeChanged } from './malformed-json.ts'
import type { ValidObject } from './valid-objects.ts'

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test', 'ADD', '', '__proto__']
const pointers = [
  '',
  '/',
  'x',
  '//',
  '/__proto__/polluted',
  '/__proto__',
  '/constructor/prototype/polluted',
  '/metadata/__proto__/polluted',
  '/metadata/labels/__proto__',
  '/metadata/labels/constructor',
  '/metadata/labels/~',
  '/metadata/labels/~2',
  '/metadata/labels/a~1b',
  '/metadata/annotations',
  '/metadata/resourceVersion',
  '/metadata/uid',
  '/metadata/managedFields',
  '/metadata/managedFields/0/fieldsV1/f:x',
  '/metadata/creationTimestamp',
  '/metadata/finalizers/-',
  '/metadata/name',
  '/spec',
  '/spec/template/spec/containers/0',
  '/spec/containers/-',
  '/spec/containers/-1',
  '/spec/containers/01',
  '/spec/containers/1e0',
  '/spec/containers/99999999999',
  '/spec/containers/0/name',
  '/spec/containers/length',
  '/status',
  '/data/x',
  '/kind',
  '/toString',
]

export function jsonPatch(random: Random): string {
  if (chance(random, 0.02)) return JSON.stringify(copyBomb(random))
  const parts: string[] = []
  for (let i = 1 + below(random, 3); i > 0; i--) {
    const fields = [`"op":${JSON.stringify(pick(random, operations))}`, `"path":${JSON.stringify(pick(random, pointers))}`]
    if (chance(random, 0.4)) fields.push(`"from":${chance(random, 0.9) ? JSON.stringify(pick(random, pointers)) : strangeValue(random)}`)
    if (chance(random, 0.7)) fields.push(`"value":${strangeValue(random)}`)
    if (chance(random, 0.1))
      fields[below(random, fields.length)] = `${pick(random, ['"op"', '"path"', '"x"', '"__proto__"'])}:${strangeValue(random)}`
    parts.push(chance(random, 0.97) ? `{${fields.join()}}` : strangeValue(random))
  }
  return chance(random, 0.95) ? `[${parts.join()}]` : parts[0]!
}

/** Doubles the object with every step, or has more steps than is allowed. */
const copyBomb = (random: Random) =>
  chance(random, 0.5)
    ? [
        { op: 'add', path: '/metadata/annotations', value: { a: 'x'.repeat(1000) } },
        ...Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/metadata', path: `/metadata/annotations/b${i}` })),
      ]
    : Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 1 }))

const directives = [
  '{"$patch":"delete"}',
  '{"$patch":"replace"}',
  '{"$patch":"x"}',
  '{"$patch":1}',
  '{"$patch":{"__proto__":1}}',
  '{"$retainKeys":["a"]}',
  '{"$retainKeys":1}',
  '{"$retainKeys":["type"],"x":1}',
  '{"$setElementOrder/containers":[{"name":"c"}]}',
  '{"$setElementOrder/containers":1}',
  '{"$setElementOrder/containers":[1]}',
  '{"$setElementOrder/containers":[{"name":"zz"}],"containers":[{"name":"c","image":"x"}]}',
  '{"$deleteFromPrimitiveList/finalizers":["x"]}',
  '{"$deleteFromPrimitiveList/finalizers":1}',
  '{"$deleteFromPrimitiveList/containers":[{}]}',
  '{"containers":[{"$patch":"delete"}]}',
  '{"containers":[{"$patch":"delete","name":"c"}]}',
  '{"containers":[{"$patch":"replace"},{"name":"n","image":"i"}]}',
  '{"containers":[{"$patch":"merge","name":"c"}]}',
  '{"containers":[{"image":"x"}]}',
  '{"containers":[null]}',
  '{"containers":[[]]}',
  '{"containers":["c"]}',
  '{"containers":{"name":"c"}}',
  '{"containers":[{"name":{"a":1}}]}',
  '{"containers":[{"name":"c","ports":[{"containerPort":"x"}]}]}',
  '{"volumes":[{"name":"v","$retainKeys":["name","emptyDir"],"emptyDir":{}}]}',
  '{"__proto__":{"polluted":"yes"}}',
]

export function strategicPatch(random: Random): string {
  const directive = pick(random, directives)
  return pick(random, [directive, `{"spec":${directive}}`, `{"metadata":${directive}}`, `{"spec":{"template":{"spec":${directive}}}}`])
}

export const managed = (random: Random) =>
  pick(random, [
    '1',
    '[1]',
    '[{}]',
    '[{"manager":"x"}]',
    '[{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":1}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"zz/v9","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:__proto__":{"f:polluted":{}}}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"k:{":{},"v:":{},"i:x":{},"z":{}}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV9"}]',
    `[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(200)}{}${'}'.repeat(200)}}]`,
  ])

export function applied(random: Random, sound: ValidObject): string {
  if (chance(random, 0.15)) return strangeYaml(random)
  const text = writeChanged(random, sound.object)
  return chance(random, 0.2) ? text.replace('"metadata":{', () => `"metadata":{"managedFields":${managed(random)},`) : text
}

const yamls: readonly (() => string)[] = [
  () => 'a: &a [*a]',
  () =>
    'a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]',
  () => '['.repeat(5000),
  () => `${'['.repeat(5000)}${']'.repeat(5000)}`,
  () => `${'- '.repeat(3000)}a`,
  () => `${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}`,
  () => '!!js/function "x"',
  () => '!<tag:x> {}',
  () => '%YAML 9.9\n---\na: b',
  () => '? [a]\n: b',
  () => '? {a: b}\n: b',
  () => '1: x\nnull: y\ntrue: z\n',
  () => 'a: 1\na: 2',
  () => '<<: [{a: 1}]\nb: 2',
  () => '\t- a',
  () => 'metadata: {name: .inf, labels: {a: .nan, b: 0o17, c: 2026-01-01, d: 1_000}}',
  () => '--- a\n--- b\n',
  () => '...\n',
  () => '"\\ud800"',
  () => 'metadata: !!binary AAA=',
  () => '__proto__: {polluted: yes}\nmetadata: {__proto__: {polluted: yes}}',
  () => '*a',
  () => '|9\n x',
  () => '\0',
]
export const strangeYaml = (random: Random) =>
  chance(random, 0.5)
    ? pick(random, yamls)()
    : `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y-${below(random, 1e6)}}\ndata:\n  a: ${pick(random, [...strangeTexts, '&x [*x]', '!!int x', '|', '>', '@', '`', '- - -', '{a', '0x', '~'])}\n`
