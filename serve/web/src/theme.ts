// Runs before the first paint: a chosen theme must not flash the other one.
const chosen = localStorage.getItem("kd-theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
