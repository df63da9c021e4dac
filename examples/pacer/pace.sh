#!/usr/bin/env bash
# The pacer on a cluster whose controllers do not know the policy, as those of EKS: at no moment more than 5 pods of web run or
# terminate, though terminations take seconds. Needs rollcall and kubectl; uses the current context, and leaves nothing behind.
set -euo pipefail
cd "$(dirname "$0")"
rollcall pacer manifests | kubectl apply -f -
rollcall pacer --leader-elect-resource-namespace kube-system --health-address 0 --log-level warn &
pacer=$!
clean_up() {
  kill "$pacer" && wait "$pacer" || true
  kubectl delete -f web.yaml --ignore-not-found --wait=false
  rollcall pacer manifests | kubectl delete --ignore-not-found -f -
  rollcall pacer release --all
}
trap clean_up EXIT
kubectl wait --for=create --timeout=60s lease/rollcall-pacer -n kube-system
kubectl apply -f web.yaml
kubectl rollout status deployment/web --timeout=60s
kubectl set image deployment/web web=example/web:2
most=0
until kubectl rollout status deployment/web --watch=false | grep -q 'successfully rolled out'; do
  count=$(kubectl get pods -l app=web -o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}' | grep -c . || true)
  if [ "$count" -gt "$most" ]; then most=$count; fi
done
echo "At most $most pods had a node."
[ "$most" -le 5 ]
