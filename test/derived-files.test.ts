// Files that are derived from the definitions of the controllers. `npx vitest run test/derived-files.test.ts -u` writes them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addControllersCommand } from '../src/cli/controllers.ts'
import { builtInsOff } from '../src/cluster/remote/preflight.ts'
import { controllerDefinitions, remoteControllerDefinitions } from '../src/controllers/definitions.ts'
import { root } from './front-door/running-cluster.ts'

const flags = remoteControllerDefinitions.map(({ remote }) => remote.flag)

interface Rule {
  readonly group: string
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

const verbOrder = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']

/** One rule for all resources of a group with the same verbs, in the order in which they appear. */
function mergeRules(permissions: readonly string[]): Rule[] {
  const verbsOf = new Map<string, Set<string>>()
  for (const permission of permissions) {
    const [verbs = '', group = '', resources = ''] = permission.split(' ')
    for (const resource of resources.split(',')) {
      const key = `${group === 'core' ? '' : group} ${resource}`
      verbsOf.set(key, new Set([...(verbsOf.get(key) ?? []), ...verbs.split(',')]))
    }
  }
  const merged = new Map<string, Rule>()
  for (const [key, allowed] of verbsOf) {
    const [group = '', resource = ''] = key.split(' ')
    const verbs = verbOrder.filter((verb) => allowed.has(verb))
    const same = `${group} ${resource.replace(/^[^/]*/, '')} ${verbs}`
    merged.set(same, { group, verbs, resources: [...(merged.get(same)?.resources ?? []), resource] })
  }
  return [...merged.values()]
}

const clusterRules = mergeRules([...remoteControllerDefinitions.flatMap(({ remote }) => remote.permissions), 'create,patch core events'])

/** The Lease of the election, and the probes of the preflight. */
const namespaceRules = mergeRules([
  'get,create,update coordination.k8s.io leases',
  ...remoteControllerDefinitions.flatMap(({ remote: { probe } }) => {
    const { group, plural } = probe.kind
    const resource = `${group === '' ? 'core' : group} ${plural}`
    return [`get,create,delete ${resource}`, ...(probe.provoke === undefined ? [] : [`update ${resource}/status`])]
  }),
])

const yamlOf = (rules: readonly Rule[]) =>
  rules
    .map(({ group, resources, verbs }) => {
      const groups = group === '' ? '""' : group
      return `  - apiGroups: [${groups}]\n    resources: [${resources.join(', ')}]\n    verbs: [${verbs.join(', ')}]\n`
    })
    .join('')

const names = `// Written by test/derived-files.test.ts from the definitions of the controllers, which a command line that is only parsed does not load.
export const controllerNames: readonly string[] = [
${flags.map((flag) => `  '${flag}',\n`).join('')}]
`

const builtIns = /--controllers=\*,bootstrap-signer-controller\S*/

/** Each pattern matches the derived part. */
const derived: readonly (readonly [file: string, parts: readonly (readonly [pattern: RegExp, text: string])[]])[] = [
  ['src/cli/generated/controller-names.ts', [[/^[\s\S]*$/, names]]],
  [
    'deploy/charts/rollcall-controllers/rules.yaml',
    [
      [/(?<=^cluster:\n)(?: .*\n)+/m, yamlOf(clusterRules)],
      [/(?<=^namespace:\n)(?: .*\n)+/m, yamlOf(namespaceRules)],
    ],
  ],
  [
    'deploy/static-pod/rbac.yaml',
    [
      [/(?<=^kind: ClusterRole\n[\s\S]*?^rules:\n)(?: .*\n)+/m, yamlOf(clusterRules)],
      [/(?<=^kind: Role\n[\s\S]*?^rules:\n)(?: .*\n)+/m, yamlOf(namespaceRules)],
    ],
  ],
  ['deploy/charts/rollcall-controllers/values.yaml', [[/(?<=^controllers:\n)(?: .*\n)+/m, flags.map((flag) => `  - ${flag}\n`).join('')]]],
  [
    'deploy/charts/rollcall-controllers/values.schema.json',
    [[/(?<="controllers": \{[^}]*"enum": \[)[^\]]*/, flags.map((flag) => JSON.stringify(flag)).join(', ')]],
  ],
  ['docs/real-clusters.md', [[builtIns, builtInsOff(remoteControllerDefinitions)]]],
  ['docs/guides/replace-controllers-on-kubeadm.md', [[builtIns, builtInsOff(remoteControllerDefinitions)]]],
]

describe('what is derived from the definitions of the controllers', () => {
  it.each(derived)('%s', async (file, parts) => {
    const path = join(root, file)
    let text = readFileSync(path, 'utf8')
    for (const [pattern, part] of parts) {
      expect(text).toMatch(pattern)
      text = text.replace(pattern, () => part)
    }
    await expect(text).toMatchFileSnapshot(path)
  })

  it('the kinds in the description of `rollcall controllers`', () => {
    const program = new Command()
    addControllersCommand(program)
    const description = program.commands[0]!.description()
    for (const { remote } of remoteControllerDefinitions) expect(description).toContain(`${remote.kinds[0]!.kind}s`)
  })

  it('names no controller twice', () => {
    const all = controllerDefinitions.map(({ name }) => name)
    expect(new Set(all).size).toBe(all.length)
  })
})
