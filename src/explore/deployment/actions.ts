// The actions in the world of a Deployment, as numbers with two arguments.
export const actions = {
  deliverDeployment: 0,
  deliverSet: 1,
  deliverPod: 2,
  deployment: 3,
  deploymentStops: 4,
  set: 5,
  setWithoutStatus: 6,
  setStops: 7,
  setRefused: 8,
  podReady: 9,
  podTerminates: 10,
  disrupt: 11,
  scale: 12,
  template: 13,
  pause: 14,
  policy: 15,
  deleteSet: 16,
  collectPod: 17,
  collectSet: 18,
  deadline: 19,
  restart: 20,
  policyAndScale: 21,
  templateAndScale: 22,
  wait: 23,
  listPods: 24,
} as const

/** `a` and `b` are below 64. */
export const codeOf = (action: number, a = 0, b = 0): number => (action << 12) | (a << 6) | b
