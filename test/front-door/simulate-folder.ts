// Runs `rollcall simulate` in a folder with small manifests and scenarios, valid and invalid ones.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EndedProcess, endOf } from './ended-process.ts'
import { command } from './running-cluster.ts'

export const simulateFiles: Readonly<Record<string, string>> = {
  'broken.yaml': 'a: [1, 2\nb: {',
  'text.yaml': 'hello world\n',
  'empty.yaml': '',
  'config-map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n',
  'wrong-kind.yaml': 'apiVersion: apps/v1\nkind: Deploymnt\nmetadata: { name: x }\n',
  'no-kind.yaml': 'metadata:\n  name: x\n',
  'second.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n---\n- 1\n- 2\n',
  'quantity.yaml': manifest({ cpu: 'lots' }),
  'negative.yaml': manifest({ replicas: -3 }),
  'too-large.yaml': manifest({ cpu: '1000' }),
  'web.yaml': manifest({}),
  'never.yaml': 'manifests: web.yaml\ntiming: { startup: 5s, stop: 5s }\nsteps:\n  - image: registry.invalid/web:2\n',
  'expected-never.yaml':
    'manifests: web.yaml\ntiming: { startup: 5s, stop: 5s }\nsteps:\n  - image: registry.invalid/web:2\nexpect: completes == false\n',
  'field.yaml': 'manifests: web.yaml\nsteps:\n  - at: 1m\n    scael: 3\n',
  'duration.yaml': 'manifests: web.yaml\ntiming:\n  startup: soon\n',
  'expectation.yaml': 'manifests: web.yaml\nexpect:\n  - peakPods <= 13\n  - peakPods <= lots\n',
  'policy.yaml': 'manifests: web.yaml\npolicies: [None, Sometimes]\n',
  'missing.yaml': 'manifests:\n  - nosuch.yaml\n',
  'nodes.yaml': 'manifests: web.yaml\nnodes:\n  - { count: 2, cpu: many }\n',
  'late.yaml': 'manifests: web.yaml\nwithin: 1m\nsteps:\n  - at: 2m\n    scale: 3\n',
  'down.yaml': 'manifests: web.yaml\nsteps:\n  - at: 1m\n    down: node-9\n',
  'undo.yaml': 'manifests: web.yaml\nsteps:\n  - at: 1m\n    undo: true\n',
  'nothing.yaml': 'steps: []\n',
  'idle.yaml': 'manifests: web.yaml\nsteps:\n  - at: 2m\n',
  'twice.yaml': 'manifests: web.yaml\nmanifests: web.yaml\n',
}

export function manifest({ cpu = '100m', replicas = 4 }: { readonly cpu?: string; readonly replicas?: number }): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: example/web:1
          resources: { requests: { cpu: "${cpu}" } }
`
}

export interface SimulateFolder {
  readonly path: string
  run(args: readonly string[], input?: string, environment?: Readonly<Record<string, string>>): Promise<EndedProcess>
  remove(): void
}

export function createSimulateFolder(): SimulateFolder {
  const path = mkdtempSync(join(tmpdir(), 'rollcall-simulate-'))
  for (const [name, text] of Object.entries(simulateFiles)) writeFileSync(join(path, name), text)
  mkdirSync(join(path, 'nothing-in-it'))
  return {
    path,
    run(args, input = '', environment = {}) {
      const child = spawn(process.execPath, [command, 'simulate', ...args], {
        cwd: path,
        env: { ...process.env, LC_ALL: 'C.UTF-8', ...environment },
      })
      return endOf(child, input)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
