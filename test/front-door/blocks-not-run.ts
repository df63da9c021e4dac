// The blocks of commands that docs-commands.test.ts does not run: the page, how the block begins, and why. docs.test.ts fails on a block of
// commands that is neither a `console` block of a page nor in this list, and on an entry that has no block.

export interface BlockNotRun {
  readonly page: string
  readonly begins: string
  readonly why: string
}

const image = 'needs Docker and a registry; package.test.ts runs the steps of the Dockerfile, and test/deploy.test.ts renders the chart'
const install = 'package.test.ts installs the packed package'

export const blocksNotRun: readonly BlockNotRun[] = [
  { page: 'README.md', begins: '$ npm install --no-audit', why: 'package.test.ts runs it, in an empty folder' },
  {
    page: 'docs/guides/find-bugs-in-your-controller.md',
    begins: 'cd examples/torture',
    why: 'needs Go, and takes minutes; torture.test.ts runs the same with a smaller program',
  },
  {
    page: 'docs/guides/find-bugs-in-your-controller.md',
    begins: 'rollcall torture --replay',
    why: 'repeats a finding of the block before',
  },
  { page: 'README.md', begins: 'npm start', why: 'runs until it is stopped; package.test.ts runs the two set-up commands in a clone' },
  { page: 'README.md', begins: 'npm run -s rollcall -- simulate', why: 'readme.test.ts runs it and compares what it prints' },
  { page: 'README.md', begins: 'Deployment default/web', why: 'readme.test.ts compares this output' },
  { page: 'README.md', begins: 'rollcall simulate --from-cluster', why: 'src/cli/live-objects.test.ts runs it on a cluster' },
  { page: 'README.md', begins: 'rollcall up', why: 'runs until it is stopped' },
  { page: 'README.md', begins: 'rollcall pacer', why: 'guides/pace-rollouts-on-eks.md runs it on a cluster' },
  { page: 'CONTRIBUTING.md', begins: 'npm run check', why: 'it is the command that runs the tests' },
  { page: 'docs/benchmarks.md', begins: 'npm run bench', why: 'takes minutes and measures the machine' },
  {
    page: 'docs/compatibility.md',
    begins: 'rollcall up --memory',
    why: 'needs e2e.test and an hour; CI runs a part of it in test/kubernetes',
  },
  { page: 'docs/envtest.md', begins: 'export ROLLCALL_OPERATOR_TESTS', why: 'needs Go and its modules; CI runs it as operators.test.ts' },
  { page: 'docs/envtest.md', begins: 'npm run operator-suites', why: 'builds three operators and their tests, which takes half an hour' },
  {
    page: 'docs/guides/check-a-rollout-in-ci.md',
    begins: 'npx rollcall simulate',
    why: 'a line for a pipeline; the page runs the same command above',
  },
  { page: 'docs/guides/pace-rollouts-on-eks.md', begins: 'helm install', why: image },
  { page: 'docs/guides/drain-without-downtime.md', begins: 'helm install', why: image },
  { page: 'docs/guides/drain-without-downtime.md', begins: 'helm upgrade', why: image },
  { page: 'docs/guides/drain-without-downtime.md', begins: 'rollcall up', why: 'runs until it is stopped; evictions.test.ts drains it' },
  { page: 'docs/guides/replace-controllers-on-kubeadm.md', begins: 'docker build', why: image },
  { page: 'docs/guides/replace-controllers-on-kubeadm.md', begins: 'kubectl -n rollcall-system', why: 'needs the installed image' },
  { page: 'docs/pacer.md', begins: 'kubectl api-resources', why: 'guides/pace-rollouts-on-eks.md runs these steps' },
  { page: 'docs/pacer.md', begins: 'rollcall pacer --leader-elect', why: 'runs until it is stopped; pacer.test.ts runs it' },
  { page: 'docs/pacer.md', begins: 'kubectl annotate deployment', why: 'guides/pace-rollouts-on-eks.md opts in by the same annotation' },
  {
    page: 'docs/pacer.md',
    begins: 'kubectl patch deployment',
    why: 'an alternative to the annotation; pacer.test.ts opts in by the pod template',
  },
  { page: 'docs/pacer.md', begins: 'kubectl set image', why: 'guides/pace-rollouts-on-eks.md runs these steps' },
  { page: 'docs/pacer.md', begins: 'rollcall pacer manifests', why: 'guides/pace-rollouts-on-eks.md runs these steps' },
  { page: 'docs/pacer.md', begins: 'helm install', why: image },
  { page: 'docs/quick-start/cluster.md', begins: 'npm install', why: install },
  { page: 'docs/quick-start/simulate.md', begins: 'npm install', why: install },
  { page: 'docs/quick-start/test.md', begins: 'npm install', why: install },
  {
    page: 'docs/real-clusters.md',
    begins: 'rollcall controllers --dry-run',
    why: 'guides/replace-controllers-on-kubeadm.md runs it on a real control plane',
  },
  { page: 'docs/real-clusters.md', begins: 'docker build', why: image },
  { page: 'docs/real-clusters.md', begins: 'helm install', why: image },
  { page: 'docs/real-clusters.md', begins: 'sudo kubeadm', why: 'needs root and a kubeadm cluster' },
  { page: 'docs/real-clusters.md', begins: 'kubectl -n rollcall-system', why: 'needs the installed image' },
  { page: 'docs/workloads.md', begins: 'kubectl annotate deployments', why: 'needs objects that an older kubectl has left' },
  {
    page: 'docs/simulate.md',
    begins: 'rollcall simulate --from-cluster -A',
    why: 'needs a cluster with workloads of its own; src/cli/live-objects.test.ts runs it on one',
  },
  { page: 'docs/testing.md', begins: 'npm install', why: install },
  { page: 'examples/simulate/README.md', begins: 'rollcall simulate -f', why: 'docs/simulate.md runs the same manifest and flags' },
  { page: 'examples/simulate/README.md', begins: 'rollcall simulate tight-nodes.yaml', why: 'simulate.test.ts runs all scenarios' },
  { page: 'examples/testing/README.md', begins: 'npm install', why: 'testing-library.test.ts runs the example' },
]
