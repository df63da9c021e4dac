// Jobs, CronJobs, StatefulSets, DaemonSets, budgets and quotas as people drive them: the real kubectl, real objects, and
// a node that is played through the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputOf } from './ended-process.ts'
import { endsAs, type FakeKubelet, startFakeKubelet } from './fake-kubelet.ts'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

/** For a longer run: `ROLLCALL_STUCK_ROLLOUTS=200`. */
const stuckRepeats = Number(process.env['ROLLCALL_STUCK_ROLLOUTS'] ?? 1) - 1

describe.skipIf(kubectlMinor() === undefined)('kubectl with workloads', { timeout: 180_000 }, () => {
  let cluster: RunningCluster
  let node: FakeKubelet
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(`-n shop ${args}`, input))
  const refused = async (args: string, input?: string): Promise<string> => {
    const result = await kubectl(`-n shop ${args}`, input)
    expect(result.code, `kubectl ${args} is refused`).not.toBe(0)
    return result.stderr
  }
  const apply = (object: object) => ok('apply -f -', JSON.stringify(object))
  const met = async (condition: string, object: string) =>
    expect(await ok(`wait --for=condition=${condition} ${object} --timeout=60s`)).toMatch(/ condition met\n$/)
  const imagesOf = (app: string) => ok(`get pods -l app=${app} --sort-by=.metadata.name -o jsonpath='{.items[*].spec.containers[0].image}'`)

  const template = (app: string, image: string) => ({
    metadata: { labels: { app } },
    spec: { containers: [{ name: 'c', image }] },
  })
  const statefulSet = (name: string, spec: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name },
    spec: { replicas: 3, serviceName: name, selector: { matchLabels: { app: name } }, template: template(name, 'nginx:1'), ...spec },
  })
  const daemonSet = (name: string, spec: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: template(name, 'nginx:1'), ...spec },
  })
  /** How its pods end; by default they keep running. */
  const job = (name: string, ends: 'Succeeded' | 'Failed' | undefined, spec: object = {}) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: jobTemplate(ends), ...spec },
  })
  const jobTemplate = (ends: 'Succeeded' | 'Failed' | undefined) => ({
    metadata: ends === undefined ? {} : { annotations: { [endsAs]: ends } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] },
  })

  beforeAll(async () => {
    cluster = await startCluster()
    kubectl = kubectlFor(cluster)
    await ok('create namespace shop')
    node = await startFakeKubelet(cluster, 'shop', ['node-1', 'node-2'])
  }, 60_000)
  afterAll(async () => {
    await node?.stop()
    await cluster?.stop()
  })

  describe('a StatefulSet', () => {
    it('comes up in order, and is waited for', async () => {
      await apply(statefulSet('db', { progressDeadlineSeconds: 2 }))
      expect(await ok('rollout status statefulset/db --timeout=60s')).toContain('roll out complete: 3 new pods have been updated')
      await met('Operational', 'statefulset/db')
      await met('Progressing', 'statefulset/db')
      expect(await ok('get sts db --no-headers')).toMatch(/^db\s+3\/3\s+\d+s\n$/)
      expect(await ok('get sts db -o wide')).toMatch(/^NAME +READY +AGE +CONTAINERS +IMAGES\n/)
      expect(await ok('get pods -l app=db -o name')).toBe('pod/db-0\npod/db-1\npod/db-2\n')
    })

    it('rolls out, shows its history, and rolls back', async () => {
      await ok('set image statefulset/db c=nginx:2')
      expect(await ok('rollout status statefulset/db --timeout=60s')).toContain('roll out complete: 3 new pods have been updated')
      expect(await imagesOf('db')).toBe('nginx:2 nginx:2 nginx:2')
      expect(await ok('rollout history statefulset/db')).toMatch(/REVISION\s+CHANGE-CAUSE\n1\s+<none>\n2\s+<none>/)
      expect(await ok('rollout history statefulset/db --revision=1')).toContain('nginx:1')
      expect(await ok('rollout undo statefulset/db')).toBe('statefulset.apps/db rolled back\n')
      await ok('rollout status statefulset/db --timeout=60s')
      expect(await imagesOf('db')).toBe('nginx:1 nginx:1 nginx:1')
      expect(await ok('rollout history statefulset/db')).toMatch(/\n2\s+<none>\n3\s+<none>/)
    })

    it('reports a rollout that is stuck', { repeats: stuckRepeats }, async () => {
      node.brokenImage = 'nginx:broken'
      await ok('set image statefulset/db c=nginx:broken')
      // On a slow machine the deadline may pass while the old pod terminates, and once more after the broken one was created.
      await ok("wait --for=jsonpath='{.status.updatedReplicas}'=1 statefulset/db --timeout=60s")
      await ok('wait --for=condition=Progressing=False statefulset/db --timeout=60s')
      await ok('wait --for=condition=Operational=False statefulset/db --timeout=60s')
      expect(await ok(`get sts db -o jsonpath='{.status.conditions[?(@.type=="Progressing")].reason}'`)).toBe('ProgressDeadlineExceeded')
      await ok('rollout undo statefulset/db')
      // The pod that never became ready is in the way, as in Kubernetes. kubectl must not wait for the deletion: it asks for
      // the pod by its uid, then watches the name, and waits for the replacement where that comes between the two requests
      // (kubernetes/kubernetes issue 135562).
      await ok('delete pod db-2 --wait=false')
      await ok('rollout status statefulset/db --timeout=60s')
      await met('Progressing', 'statefulset/db')
    })

    it('rolls out to a partition, restarts and is scaled', async () => {
      await ok(
        `patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}},"template":{"spec":{"containers":[{"name":"c","image":"nginx:3"}]}}}}'`,
      )
      expect(await ok('rollout status statefulset/db --timeout=60s')).toContain(
        'partitioned roll out complete: 1 new pods have been updated',
      )
      expect(await imagesOf('db')).toBe('nginx:1 nginx:1 nginx:3')
      await ok(`patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'`)
      await ok('rollout status statefulset/db --timeout=60s')
      expect(await imagesOf('db')).toBe('nginx:3 nginx:3 nginx:3')
      await ok('rollout restart statefulset/db')
      await ok('rollout status statefulset/db --timeout=60s')
      await ok('scale statefulset/db --replicas=1')
      await ok("wait --for=jsonpath='{.status.replicas}'=1 statefulset/db --timeout=60s")
      expect(await ok('get pods -l app=db -o name')).toBe('pod/db-0\n')
    })

    it('is described with its conditions and events', async () => {
      expect(await ok('describe sts db')).toMatch(/Replicas: +1 desired \| 1 total/)
      await expect.poll(() => ok('describe sts db')).toContain('Create Pod db-2 in StatefulSet db successful')
    })
  })

  describe('a DaemonSet', () => {
    beforeAll(async () => {
      await ok('label node node-1 disk=ssd')
      await ok('label node node-2 disk=old')
    })

    it('serves every node, and is waited for', async () => {
      await apply(daemonSet('agent', { progressDeadlineSeconds: 2 }))
      expect(await ok('rollout status daemonset/agent --timeout=60s')).toContain('daemon set "agent" successfully rolled out')
      await met('Operational', 'daemonset/agent')
      await met('Progressing', 'daemonset/agent')
      expect(await ok('get ds agent')).toMatch(
        /^NAME +DESIRED +CURRENT +READY +UP-TO-DATE +AVAILABLE +NODE SELECTOR +AGE\nagent +2 +2 +2 +2 +2 +<none> +\d+s\n$/,
      )
      expect((await ok("get pods -l app=agent -o jsonpath='{.items[*].spec.nodeName}'")).split(' ').sort()).toEqual(['node-1', 'node-2'])
    })

    it('rolls out, shows its history, and rolls back', async () => {
      await ok('set image daemonset/agent c=nginx:2')
      expect(await ok('rollout status daemonset/agent --timeout=60s')).toContain('successfully rolled out')
      expect(await imagesOf('agent')).toBe('nginx:2 nginx:2')
      expect(await ok('rollout history daemonset/agent')).toMatch(/REVISION\s+CHANGE-CAUSE\n1\s+<none>\n2\s+<none>/)
      expect(await ok('rollout undo daemonset/agent --to-revision=1')).toBe('daemonset.apps/agent rolled back\n')
      await ok('rollout status daemonset/agent --timeout=60s')
      expect(await imagesOf('agent')).toBe('nginx:1 nginx:1')
      expect(await ok('rollout history daemonset/agent')).toMatch(/\n2\s+<none>\n3\s+<none>/)
    })

    it('reports a rollout that is stuck, and one that progresses', async () => {
      node.brokenImage = 'nginx:broken'
      await ok('set image daemonset/agent c=nginx:broken')
      await ok('wait --for=condition=Progressing=False daemonset/agent --timeout=60s')
      await ok('wait --for=condition=Operational=False daemonset/agent --timeout=60s')
      await ok('rollout undo daemonset/agent')
      await ok('rollout status daemonset/agent --timeout=60s')
      await met('Progressing', 'daemonset/agent')
    })

    it('follows the labels and the number of nodes', async () => {
      await ok(`patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"disk":"ssd"}}}}}'`)
      await ok("wait --for=jsonpath='{.status.desiredNumberScheduled}'=1 daemonset/agent --timeout=60s")
      await ok('rollout status daemonset/agent --timeout=60s')
      expect(await ok("get pods -l app=agent -o jsonpath='{.items[*].spec.nodeName}'")).toBe('node-1')
      await ok('label node node-2 disk=ssd --overwrite')
      await ok("wait --for=jsonpath='{.status.numberAvailable}'=2 daemonset/agent --timeout=60s")
      expect(await ok('describe ds agent')).toContain('Desired Number of Nodes Scheduled: 2')
      await expect.poll(() => ok('describe ds agent')).toMatch(/SuccessfulCreate.*daemonset-controller.*Created pod: agent-/)
    })
  })

  describe('a Deployment and its ReplicaSet', () => {
    it('report the same conditions', async () => {
      await ok('create deployment web --image=nginx:1 --replicas=2')
      await ok('rollout status deployment/web --timeout=60s')
      for (const condition of ['Operational', 'Progressing', 'Available']) await met(condition, 'deployment/web')
      await met('Operational', 'replicaset -l app=web')
    })
  })

  describe('a Job', () => {
    it('waits, runs and completes', async () => {
      await apply(job('endless', undefined))
      await met('Running', 'job/endless')
      expect(await ok('get job endless')).toMatch(/^NAME +STATUS +COMPLETIONS +DURATION +AGE\nendless +Running +0\/1 +\d+s +\d+s\n$/)
      await apply(job('task', 'Succeeded', { completions: 3, parallelism: 2 }))
      await met('Complete', 'job/task')
      expect(await ok('get job task --no-headers')).toMatch(/^task +Complete +3\/3 +\d+s +\d+s\n$/)
      expect(await ok('describe job task')).toMatch(/Pods Statuses: +0 Active \(0 Ready\) \/ 3 Succeeded \/ 0 Failed/)
      await expect.poll(() => ok('describe job task')).toMatch(/Completed.*job-controller.*Job completed/)
    })

    it('fails, and reports the reason', async () => {
      await apply(job('broken', 'Failed', { backoffLimit: 0 }))
      await met('Failed', 'job/broken')
      expect(await ok(`get job broken -o jsonpath='{.status.conditions[?(@.type=="Failed")].reason}'`)).toBe('BackoffLimitExceeded')
      expect(await ok('get job broken --no-headers')).toMatch(/^broken +Failed +0\/1/)
    })

    it('keeps to its indexes', async () => {
      await apply(job('indexed', 'Succeeded', { completions: 3, parallelism: 3, completionMode: 'Indexed' }))
      await met('Complete', 'job/indexed')
      expect(await ok("get job indexed -o jsonpath='{.status.completedIndexes}'")).toBe('0-2')
      expect(await ok('get pods -l job-name=indexed -L batch.kubernetes.io/job-completion-index --no-headers')).toMatch(
        /indexed-0-\w+ .* 0\n/,
      )
    })

    it('is suspended and resumed', async () => {
      await ok(`patch job endless -p '{"spec":{"suspend":true}}'`)
      await met('Suspended', 'job/endless')
      await ok('wait --for=condition=Running=False job/endless --timeout=60s')
      await ok("wait --for=jsonpath='{.status.terminating}'=0 job/endless --timeout=60s")
      expect(await ok('get pods -l job-name=endless -o name')).toBe('')
      expect(await ok('get job endless --no-headers')).toMatch(/^endless +Suspended/)
      await ok(`patch job endless -p '{"spec":{"suspend":false}}'`)
      await met('Running', 'job/endless')
      await expect.poll(() => ok('describe job endless')).toMatch(/Suspended[\s\S]*Resumed/)
    })

    it('is deleted with its pods', async () => {
      await ok('delete job endless --cascade=foreground --timeout=60s')
      expect(await ok('get pods -l job-name=endless -o name')).toBe('')
    })

    it('waits when there are no nodes, and is deleted with its namespace', async () => {
      await ok('create namespace short')
      await kubectl('-n short apply -f -', JSON.stringify(job('waiting', undefined, { parallelism: 3 })))
      expect((await kubectl("-n short wait --for=jsonpath='{.status.active}'=3 job/waiting --timeout=60s")).code).toBe(0)
      expect((await kubectl('-n short wait --for=condition=Waiting job/waiting --timeout=60s')).stdout).toContain('condition met')
      const deleted = await kubectl('delete namespace short --timeout=60s')
      expect(deleted.stderr + deleted.stdout).toBe('namespace "short" deleted\n')
    })

    it('is counted in the metrics', async () => {
      const { text } = await cluster.ask('GET', '/metrics')
      expect(text).toMatch(
        /job_controller_jobs_finished_total\{completion_mode="NonIndexed",result="failed",reason="BackoffLimitExceeded"\} [1-9]/,
      )
      expect(text).toMatch(/job_controller_job_pods_finished_total\{completion_mode="Indexed",result="succeeded"\} 3/)
      expect(text).toMatch(/job_controller_job_sync_duration_seconds_count\{/)
    })
  })

  describe('a CronJob', () => {
    it('is shown, and starts a Job by hand', async () => {
      await apply({
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'nightly' },
        spec: { schedule: '0 3 * * *', timeZone: 'Europe/Berlin', jobTemplate: { spec: { template: jobTemplate('Succeeded') } } },
      })
      expect(await ok('get cronjob nightly')).toMatch(
        /^NAME +SCHEDULE +TIMEZONE +SUSPEND +ACTIVE +LAST SCHEDULE +AGE\nnightly +0 3 \* \* \* +Europe\/Berlin +False +0 +<none> +\d+s\n$/,
      )
      expect(await ok('create job by-hand --from=cronjob/nightly')).toBe('job.batch/by-hand created\n')
      await met('Complete', 'job/by-hand')
      expect(await ok("get job by-hand -o jsonpath='{.metadata.ownerReferences[0].kind}'")).toBe('CronJob')
      expect(await ok('describe cronjob nightly')).toMatch(/Schedule: +0 3 \* \* \*\n/)
      await ok('delete cronjob nightly --cascade=foreground --timeout=60s')
      expect(await ok('get jobs -o name')).not.toContain('by-hand')
    })

    it('catches up with the run that it has missed', async () => {
      // Created as if long ago: the last minute is due at once.
      await apply({
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'minutely' },
        spec: { schedule: '* * * * *', successfulJobsHistoryLimit: 1, jobTemplate: { spec: { template: jobTemplate('Succeeded') } } },
      })
      const status = { lastScheduleTime: new Date(Date.now() - 600_000).toISOString().replace(/\.\d+/, '') }
      await ok(`patch cronjob minutely --subresource=status --type=merge -p '${JSON.stringify({ status })}'`)
      await ok("wait --for=jsonpath='{.status.lastSuccessfulTime}' cronjob/minutely --timeout=60s")
      expect(await ok('get jobs -o name')).toMatch(/job\.batch\/minutely-\d{8}\n/)
      await expect.poll(() => ok('describe cronjob minutely')).toMatch(/SuccessfulCreate.*cronjob-controller.*Created job minutely-\d+/)
      await ok('delete cronjob minutely')
    })
  })

  describe('a PodDisruptionBudget', () => {
    it('allows as many evictions as the budget has, and refuses the next', async () => {
      await ok('create poddisruptionbudget web --selector=app=web --min-available=2')
      await ok("wait --for=jsonpath='{.status.currentHealthy}'=2 pdb/web --timeout=60s")
      expect(await ok('get pdb web')).toMatch(/^NAME +MIN AVAILABLE +MAX UNAVAILABLE +ALLOWED DISRUPTIONS +AGE\nweb +2 +N\/A +0 +\d+s\n$/)
      const evict = async () => {
        const name = await ok("get pods -l app=web -o jsonpath='{.items[0].metadata.name}'")
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }
        return cluster.ask('POST', `/api/v1/namespaces/shop/pods/${name}/eviction`, body)
      }
      const no = await evict()
      expect(no.code).toBe(429)
      expect(no.json).toMatchObject({
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: {
          causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods and has 2 currently' }],
        },
      })
      await ok('scale deployment/web --replicas=3')
      await ok("wait --for=jsonpath='{.status.disruptionsAllowed}'=1 pdb/web --timeout=60s")
      expect((await evict()).code).toBe(201)
      await ok("wait --for=jsonpath='{.status.disruptionsAllowed}'=1 pdb/web --timeout=60s")
      expect(await ok('describe pdb web')).toMatch(/Allowed disruptions: +1\n +Current: +3\n +Desired: +2\n +Total: +3/)
    })

    it('holds kubectl drain up', async () => {
      node.stopMs = Number.POSITIVE_INFINITY
      const drained = await kubectl('drain node-1 --ignore-daemonsets --force --timeout=10s --pod-selector=app=web')
      expect(drained.code).not.toBe(0)
      expect(drained.stderr + drained.stdout).toContain("Cannot evict pod as it would violate the pod's disruption budget.")
      expect(await ok('get node node-1 --no-headers')).toContain('SchedulingDisabled')
      node.stopMs = 0
      await ok('delete pdb web')
      await ok('uncordon node-1')
    })
  })

  describe('a ResourceQuota', () => {
    it("refuses with Kubernetes' messages, and reports the usage", async () => {
      await ok('delete deployment web --cascade=foreground --timeout=60s')
      const pods = (await ok('get pods -o name')).trim().split('\n').length
      await ok(`create quota tight --hard=pods=${pods},count/jobs.batch=100`)
      await ok("wait --for=jsonpath='{.status.used.pods}' resourcequota/tight --timeout=60s")
      const live = Number(await ok("get resourcequota tight -o jsonpath='{.status.used.pods}'"))
      await ok(`patch resourcequota tight -p '{"spec":{"hard":{"pods":"${live}"}}}'`)
      await ok(`wait --for=jsonpath='{.status.hard.pods}'=${live} resourcequota/tight --timeout=60s`)
      expect(await refused('run one --image=nginx')).toBe(
        `Error from server (Forbidden): pods "one" is forbidden: exceeded quota: tight, requested: pods=1, used: pods=${live}, limited: pods=${live}\n`,
      )
      expect(await ok('describe quota tight')).toMatch(new RegExp(`pods +${live} +${live}\\n`))
      expect(await ok('get quota tight')).toMatch(
        /^NAME +REQUEST +LIMIT +AGE\ntight +count\/jobs\.batch: \d+\/100, pods: \d+\/\d+ +\d+s\n$/,
      )
    })

    it('keeps a Job waiting until there is room', async () => {
      await apply(job('late', 'Succeeded'))
      await expect.poll(() => ok('describe job late'), { timeout: 20_000 }).toMatch(/FailedCreate.*exceeded quota: tight/)
      await ok('delete quota tight')
      await met('Complete', 'job/late')
    })
  })
})
