# Source it: points GoMLX's XLA backend at the CUDA plugin of a Python JAX install
# (pip install "jax[cuda13]"), so that nothing has to be downloaded:
#
#   . contrib/xla-cuda-env.sh && kd train lm --backend xla:cuda …
#
# Seen working with go-xla v0.4.2 and the plugin of jax 0.11.2.
kd_plugin=$(python3 -c 'import glob, jax_plugins; print(next(p for d in jax_plugins.__path__ for p in glob.glob(d + "/xla_cuda*/xla_cuda_plugin.so")))') || return 1
kd_site=$(dirname "$(dirname "$(dirname "$kd_plugin")")")
export PJRT_PLUGIN_LIBRARY_PATH=${TMPDIR:-/tmp}/kd-pjrt-$(id -u)
mkdir -p "$PJRT_PLUGIN_LIBRARY_PATH" || return 1
ln -sfn "$kd_plugin" "$PJRT_PLUGIN_LIBRARY_PATH/pjrt_c_api_cuda_plugin.so"
ln -sfn "$kd_site/nvidia" "$PJRT_PLUGIN_LIBRARY_PATH/nvidia"
LD_LIBRARY_PATH=$(find "$kd_site/nvidia" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:):${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH
export GOMLX_NO_AUTO_INSTALL=1 # a plugin that is not found is an error, not a download
export GOPJRT_CUDA_CHECKS=0    # go-xla looks for the libraries beside the link, and warns in vain
unset kd_plugin kd_site
