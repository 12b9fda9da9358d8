var e=localStorage.getItem("kd-theme");(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);
