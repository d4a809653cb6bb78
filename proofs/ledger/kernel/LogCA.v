(* Real powers, roots of the trinomial k*x^b = c + l*x, and tactics: what the ledger's proofs use.
   Everything here is proved; nothing is assumed beyond Coq's real numbers. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.

Open Scope R_scope.

(* A power whose base may be zero: 0 to a positive exponent is 0.  Where the base is negative or
   the exponent of 0 is not positive there is no power, and claims say nothing. *)
Definition power (x y : R) : R := if Rle_dec x 0 then 0 else Rpower x y.

(* The root at which k*x^b comes up to c + l*x from below, and the one after which it stays below. *)
Definition lower_root (k c l b x : R) : Prop :=
  0 < x /\ k * Rpower x b = c + l * x /\ forall y, 0 < y -> y < x -> k * Rpower y b < c + l * y.
Definition upper_root (k c l b x : R) : Prop :=
  0 < x /\ k * Rpower x b = c + l * x /\ forall y, x < y -> k * Rpower y b < c + l * y.

Lemma power_pos : forall x y, 0 < x -> power x y = Rpower x y.
Proof. intros x y H. unfold power. destruct (Rle_dec x 0); [lra | reflexivity]. Qed.

Lemma power_zero : forall y, power 0 y = 0.
Proof. intros y. unfold power. destruct (Rle_dec 0 0); [reflexivity | lra]. Qed.

Lemma power_nonneg : forall x y, 0 <= power x y.
Proof.
  intros x y. unfold power. destruct (Rle_dec x 0); [lra |].
  unfold Rpower. left. apply exp_pos.
Qed.

Lemma Rpower_pos : forall x y, 0 < Rpower x y.
Proof. intros. unfold Rpower. apply exp_pos. Qed.

Lemma Rpower_nonzero : forall x y, Rpower x y <> 0.
Proof. intros. apply Rgt_not_eq. apply Rpower_pos. Qed.

Lemma Rpower_base_one : forall y, Rpower 1 y = 1.
Proof. intros. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

Lemma Rpower_product : forall x y z, 0 < x -> 0 < y -> Rpower (x * y) z = Rpower x z * Rpower y z.
Proof. intros. symmetry. apply Rpower_mult_distr; assumption. Qed.

Lemma Rpower_of_inverse : forall x z, 0 < x -> Rpower (/ x) z = / Rpower x z.
Proof.
  intros x z Hx. unfold Rpower. rewrite ln_Rinv by assumption.
  rewrite <- exp_Ropp. f_equal. ring.
Qed.

Lemma Rpower_quotient : forall x y z, 0 < x -> 0 < y -> Rpower (x / y) z = Rpower x z / Rpower y z.
Proof.
  intros. unfold Rdiv. rewrite Rpower_product.
  - rewrite Rpower_of_inverse by assumption. reflexivity.
  - assumption.
  - apply Rinv_0_lt_compat. assumption.
Qed.

Lemma Rpower_difference : forall x y z, Rpower x (y - z) = Rpower x y / Rpower x z.
Proof.
  intros. unfold Rminus, Rdiv. rewrite Rpower_plus, Rpower_Ropp. reflexivity.
Qed.

Lemma Rpower_nat_base : forall x n z, 0 < x -> Rpower (x ^ n) z = Rpower x z ^ n.
Proof.
  intros x n z Hx. induction n as [| n IH]; simpl.
  - apply Rpower_base_one.
  - rewrite Rpower_product, IH; [reflexivity | assumption | apply pow_lt; assumption].
Qed.

Lemma Rpower_INR_times : forall x n z, Rpower x (INR n * z) = Rpower x z ^ n.
Proof.
  intros. rewrite Rmult_comm, <- Rpower_mult. rewrite Rpower_pow; [reflexivity | apply Rpower_pos].
Qed.

Lemma Rpower_two : forall x, 0 < x -> Rpower x 2 = x ^ 2.
Proof. intros. replace 2 with (INR 2) by (simpl; lra). apply Rpower_pow. assumption. Qed.

Lemma Rpower_three : forall x, 0 < x -> Rpower x 3 = x ^ 3.
Proof. intros. replace 3 with (INR 3) by (simpl; lra). apply Rpower_pow. assumption. Qed.

Lemma Rpower_two_times : forall x z, Rpower x (2 * z) = Rpower x z ^ 2.
Proof. intros. replace 2 with (INR 2) by (simpl; lra). apply Rpower_INR_times. Qed.

Lemma Rpower_three_times : forall x z, Rpower x (3 * z) = Rpower x z ^ 3.
Proof. intros. replace 3 with (INR 3) by (simpl; lra). apply Rpower_INR_times. Qed.

Lemma Rpower_ln : forall x z, ln (Rpower x z) = z * ln x.
Proof. intros. unfold Rpower. apply ln_exp. Qed.

Lemma ln_quotient : forall x y, 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof.
  intros. unfold Rdiv. rewrite ln_mult.
  - rewrite ln_Rinv by assumption. reflexivity.
  - assumption.
  - apply Rinv_0_lt_compat. assumption.
Qed.

Lemma ln_nat_power : forall x n, 0 < x -> ln (x ^ n) = INR n * ln x.
Proof. intros. rewrite <- Rpower_pow by assumption. apply Rpower_ln. Qed.

Lemma sqrt_as_power : forall x, 0 < x -> sqrt x = Rpower x (/ 2).
Proof. intros. rewrite Rpower_sqrt by assumption. reflexivity. Qed.

Lemma nonnegative_nonzero : forall x, 0 <= x -> x <> 0 -> 0 < x.
Proof. intros x H N. destruct (Rtotal_order x 0) as [K | [K | K]]; [lra | tauto | exact K]. Qed.

(* The order of powers. *)

Lemma Rpower_base_lt : forall x y z, 0 < z -> 0 < x -> x < y -> Rpower x z < Rpower y z.
Proof.
  intros x y z Hz Hx Hxy. unfold Rpower. apply exp_increasing.
  apply Rmult_lt_compat_l; [assumption | apply ln_increasing; assumption].
Qed.

Lemma Rpower_base_falls : forall x y z, z < 0 -> 0 < x -> x < y -> Rpower y z < Rpower x z.
Proof.
  intros x y z Hz Hx Hxy. unfold Rpower. apply exp_increasing.
  assert (ln x < ln y) by (apply ln_increasing; assumption). nra.
Qed.

(* The sign of x - y is that of x^z - y^z for a positive z, the opposite for a negative z. *)
Lemma power_monotone : forall x y z, 0 < x -> 0 < y -> 0 < z ->
  (x < y /\ Rpower x z < Rpower y z) \/ (x = y /\ Rpower x z = Rpower y z)
  \/ (y < x /\ Rpower y z < Rpower x z).
Proof.
  intros x y z Hx Hy Hz. destruct (Rtotal_order x y) as [H | [H | H]].
  - left. split; [assumption | apply Rpower_base_lt; assumption].
  - right. left. subst. split; reflexivity.
  - right. right. split; [assumption | apply Rpower_base_lt; assumption].
Qed.

Lemma power_monotone_down : forall x y z, 0 < x -> 0 < y -> z < 0 ->
  (x < y /\ Rpower y z < Rpower x z) \/ (x = y /\ Rpower x z = Rpower y z)
  \/ (y < x /\ Rpower x z < Rpower y z).
Proof.
  intros x y z Hx Hy Hz. destruct (Rtotal_order x y) as [H | [H | H]].
  - left. split; [assumption | apply Rpower_base_falls; assumption].
  - right. left. subst. split; reflexivity.
  - right. right. split; [assumption | apply Rpower_base_falls; assumption].
Qed.

Lemma power_minus_one : forall x z, 0 < x -> Rpower x (z - 1) = Rpower x z / x.
Proof. intros. rewrite Rpower_difference, Rpower_1 by assumption. reflexivity. Qed.

(* x^z / x against y^z / y, by the sign of z - 1. *)
Lemma power_slope : forall x y z, 0 < x -> 0 < y -> 1 < z ->
  (x < y /\ Rpower x z * y < Rpower y z * x) \/ (x = y /\ Rpower x z * y = Rpower y z * x)
  \/ (y < x /\ Rpower y z * x < Rpower x z * y).
Proof.
  intros x y z Hx Hy Hz. assert (Hw : 0 < z - 1) by lra.
  assert (Ex : Rpower x z = Rpower x (z - 1) * x) by (rewrite power_minus_one by lra; field; lra).
  assert (Ey : Rpower y z = Rpower y (z - 1) * y) by (rewrite power_minus_one by lra; field; lra).
  rewrite Ex, Ey. assert (0 < x * y) by nra.
  destruct (power_monotone x y (z - 1) Hx Hy Hw) as [[H1 H2] | [[H1 H2] | [H1 H2]]].
  - left. split; [assumption | nra].
  - right. left. split; [assumption | rewrite H2; ring].
  - right. right. split; [assumption | nra].
Qed.

Lemma power_slope_down : forall x y z, 0 < x -> 0 < y -> z < 1 ->
  (x < y /\ Rpower y z * x < Rpower x z * y) \/ (x = y /\ Rpower x z * y = Rpower y z * x)
  \/ (y < x /\ Rpower x z * y < Rpower y z * x).
Proof.
  intros x y z Hx Hy Hz. assert (Hw : z - 1 < 0) by lra.
  assert (Ex : Rpower x z = Rpower x (z - 1) * x) by (rewrite power_minus_one by lra; field; lra).
  assert (Ey : Rpower y z = Rpower y (z - 1) * y) by (rewrite power_minus_one by lra; field; lra).
  rewrite Ex, Ey. assert (0 < x * y) by nra.
  destruct (power_monotone_down x y (z - 1) Hx Hy Hw) as [[H1 H2] | [[H1 H2] | [H1 H2]]].
  - left. split; [assumption | nra].
  - right. left. split; [assumption | rewrite H2; ring].
  - right. right. split; [assumption | nra].
Qed.

(* Strict convexity of the exponential function and Bernoulli's inequality for real exponents. *)

Lemma exp_tangent : forall t, t <> 0 -> 1 + t < exp t.
Proof. intros. apply exp_ineq1. assumption. Qed.

Lemma ln_below : forall x, 0 < x -> x <> 1 -> ln x < x - 1.
Proof.
  intros x Hx H1. assert (H : ln x <> 0).
  { intro E. apply H1. rewrite <- (exp_ln x Hx), E. apply exp_0. }
  generalize (exp_tangent (ln x) H). rewrite exp_ln by assumption. lra.
Qed.

Lemma ln_at_most : forall x, 0 < x -> ln x <= x - 1.
Proof.
  intros x Hx. destruct (Req_dec x 1) as [E | N].
  - subst. rewrite ln_1. lra.
  - left. apply ln_below; assumption.
Qed.

(* Weighted means: x^z lies below its tangent in y for exponents below 1, above it for those above. *)
Lemma power_tangent_down : forall x y z, 0 < x -> 0 < y -> 0 < z -> z < 1 -> x <> y ->
  Rpower x z * y < Rpower y z * (y + z * (x - y)).
Proof.
  intros x y z Hx Hy H0 H1 Hn. set (m := y + z * (x - y)).
  assert (Hm : 0 < m) by (unfold m; nra).
  assert (Nx : x <> m) by (unfold m; intro E; apply Hn; nra).
  assert (Qx : 0 < x / m) by (apply Rdiv_lt_0_compat; assumption).
  assert (Qy : 0 < y / m) by (apply Rdiv_lt_0_compat; assumption).
  assert (N1 : x / m <> 1).
  { intro E. apply Nx. replace x with (x / m * m) by (field; lra). rewrite E. ring. }
  generalize (ln_below _ Qx N1) (ln_at_most _ Qy). rewrite !ln_quotient by assumption. intros A B.
  assert (S : z * (x / m - 1) + (1 - z) * (y / m - 1) = 0) by (unfold m; field; fold m; lra).
  assert (K : z * ln x + (1 - z) * ln y < ln m) by nra.
  assert (E : Rpower x z * y / Rpower y z = exp (z * ln x + (1 - z) * ln y)).
  { unfold Rpower, Rdiv. rewrite <- exp_Ropp. rewrite <- (exp_ln y Hy) at 1.
    rewrite <- !exp_plus. f_equal. ring. }
  apply exp_increasing in K. rewrite exp_ln in K by assumption. rewrite <- E in K.
  assert (P : 0 < Rpower y z) by apply Rpower_pos.
  apply (Rmult_lt_compat_l (Rpower y z)) in K; [| assumption].
  replace (Rpower y z * (Rpower x z * y / Rpower y z)) with (Rpower x z * y) in K by (field; lra).
  exact K.
Qed.

Lemma power_tangent : forall x y z, 0 < x -> 0 < y -> 1 < z -> x <> y ->
  Rpower y z * (y + z * (x - y)) < Rpower x z * y.
Proof.
  intros x y z Hx Hy Hz Hn.
  assert (Hi : 0 < / z) by (apply Rinv_0_lt_compat; lra).
  assert (Hj : / z < 1) by (apply (Rmult_lt_reg_r z); [lra |]; rewrite Rinv_l by lra; lra).
  assert (P : 0 < Rpower y z) by apply Rpower_pos.
  assert (Q : 0 < Rpower x z) by apply Rpower_pos.
  assert (R1 : Rpower (Rpower x z) (/ z) = x).
  { rewrite Rpower_mult, Rinv_r by lra. apply Rpower_1. assumption. }
  assert (R2 : Rpower (Rpower y z) (/ z) = y).
  { rewrite Rpower_mult, Rinv_r by lra. apply Rpower_1. assumption. }
  assert (N : Rpower x z <> Rpower y z) by (intro E; apply Hn; rewrite <- R1, <- R2, E; reflexivity).
  generalize (power_tangent_down (Rpower x z) (Rpower y z) (/ z) Q P Hi Hj N). rewrite R1, R2.
  intro H. apply (Rmult_lt_compat_l z) in H; [| lra].
  replace (z * (y * (Rpower y z + / z * (Rpower x z - Rpower y z))))
    with (y * (z * Rpower y z + (Rpower x z - Rpower y z))) in H by (field; lra).
  lra.
Qed.

(* The order of logarithms. *)

Lemma ln_monotone : forall x y, 0 < x -> 0 < y ->
  (x < y /\ ln x < ln y) \/ (x = y /\ ln x = ln y) \/ (y < x /\ ln y < ln x).
Proof.
  intros x y Hx Hy. destruct (Rtotal_order x y) as [H | [H | H]].
  - left. split; [assumption | apply ln_increasing; assumption].
  - right. left. subst. split; reflexivity.
  - right. right. split; [assumption | apply ln_increasing; assumption].
Qed.

Lemma ln_tangent : forall x y, 0 < x -> 0 < y -> x <> y -> y * (ln x - ln y) < x - y.
Proof.
  intros x y Hx Hy Hn. rewrite <- ln_quotient by assumption.
  assert (Q : 0 < x / y) by (apply Rdiv_lt_0_compat; assumption).
  assert (N : x / y <> 1).
  { intro E. apply Hn. replace x with (x / y * y) by (field; lra). rewrite E. ring. }
  generalize (ln_below _ Q N). intro H. apply (Rmult_lt_compat_l y) in H; [| assumption].
  replace (y * (x / y - 1)) with (x - y) in H by (field; lra). exact H.
Qed.

(* Roots of the trinomial. *)

Lemma power_derivative : forall z x, 0 < x ->
  is_derive (fun t => Rpower t z) x (z * Rpower x z / x).
Proof.
  intros z x Hx. unfold Rpower. auto_derive; [assumption | field; lra].
Qed.

Lemma lower_root_pos : forall k c l b x, lower_root k c l b x -> 0 < x.
Proof. intros k c l b x [H _]. exact H. Qed.
Lemma upper_root_pos : forall k c l b x, upper_root k c l b x -> 0 < x.
Proof. intros k c l b x [H _]. exact H. Qed.
Lemma lower_root_eq : forall k c l b x, lower_root k c l b x -> k * Rpower x b = c + l * x.
Proof. intros k c l b x [_ [H _]]. exact H. Qed.
Lemma upper_root_eq : forall k c l b x, upper_root k c l b x -> k * Rpower x b = c + l * x.
Proof. intros k c l b x [_ [H _]]. exact H. Qed.

Lemma lower_root_above : forall k c l x, lower_root k c l 1 x -> l < k.
Proof.
  intros k c l x [Hx [E F]]. rewrite Rpower_1 in E by assumption.
  assert (H : 0 < x / 2 < x) by lra. specialize (F (x / 2) (proj1 H) (proj2 H)).
  rewrite Rpower_1 in F by lra. nra.
Qed.

Lemma lower_root_unique : forall k c l b x y,
  lower_root k c l b x -> lower_root k c l b y -> x = y.
Proof.
  intros k c l b x y [Hx [Ex Fx]] [Hy [Ey Fy]].
  destruct (Rtotal_order x y) as [H | [H | H]].
  - specialize (Fy x Hx H). lra.
  - exact H.
  - specialize (Fx y Hy H). lra.
Qed.

(* The slope of the difference at a root, by the tangents of the power from both sides. *)
Lemma lower_root_slope : forall k c l b x, lower_root k c l b x -> 0 <= b * c + (b - 1) * l * x.
Proof.
  intros k c l b x [Hx [E F]].
  destruct (Rle_lt_dec 0 (b * c + (b - 1) * l * x)) as [H | H]; [exact H | exfalso].
  assert (D : is_derive (fun t => k * Rpower t b - c - l * t) x
                ((b * c + (b - 1) * l * x) / x)).
  { evar_last.
    - apply @is_derive_minus; [apply @is_derive_minus |].
      + apply (is_derive_scal (fun t => Rpower t b) x k). apply power_derivative. exact Hx.
      + apply @is_derive_const.
      + apply (is_derive_scal (fun t : R => t) x l 1). apply @is_derive_id.
    - unfold minus, plus, opp, zero; simpl.
      replace (k * (b * Rpower x b / x)) with (b * (k * Rpower x b) / x) by (field; lra).
      rewrite E. field. lra. }
  apply is_derive_Reals in D.
  assert (N : 0 < - ((b * c + (b - 1) * l * x) / x)).
  { apply Ropp_0_gt_lt_contravar. unfold Rdiv.
    apply (Rmult_lt_reg_r x); [exact Hx |]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct (D _ N) as [[d Hd] G]. simpl in G.
  set (h := - (Rmin (d / 2) (x / 2))).
  assert (Hm : 0 < Rmin (d / 2) (x / 2)) by (apply Rmin_glb_lt; lra).
  assert (Hm1 := Rmin_l (d / 2) (x / 2)). assert (Hm2 := Rmin_r (d / 2) (x / 2)).
  assert (Hh : h <> 0) by (unfold h; lra).
  assert (Ha : Rabs h < d) by (unfold h; rewrite Rabs_Ropp, Rabs_right by lra; lra).
  specialize (G h Hh Ha). apply Rabs_def2 in G. destruct G as [G _].
  assert (Hy : 0 < x + h) by (unfold h; lra).
  assert (Hy' : x + h < x) by (unfold h; lra).
  specialize (F (x + h) Hy Hy').
  assert (S : (k * Rpower (x + h) b - c - l * (x + h) - (k * Rpower x b - c - l * x)) / h < 0) by lra.
  assert (T : k * Rpower (x + h) b - c - l * (x + h) - (k * Rpower x b - c - l * x) < 0) by lra.
  assert (Hn : h < 0) by (unfold h; lra).
  assert (U : 0 < (k * Rpower (x + h) b - c - l * (x + h) - (k * Rpower x b - c - l * x)) / h).
  { unfold Rdiv. rewrite <- Rmult_opp_opp. apply Rmult_lt_0_compat; [lra |].
    apply Rinv_lt_0_compat in Hn. lra. }
  lra.
Qed.

Lemma upper_root_slope : forall k c l b x, upper_root k c l b x -> b * c + (b - 1) * l * x <= 0.
Proof.
  intros k c l b x [Hx [E F]].
  destruct (Rle_lt_dec (b * c + (b - 1) * l * x) 0) as [H | H]; [exact H | exfalso].
  assert (D : is_derive (fun t => k * Rpower t b - c - l * t) x
                ((b * c + (b - 1) * l * x) / x)).
  { evar_last.
    - apply @is_derive_minus; [apply @is_derive_minus |].
      + apply (is_derive_scal (fun t => Rpower t b) x k). apply power_derivative. exact Hx.
      + apply @is_derive_const.
      + apply (is_derive_scal (fun t : R => t) x l 1). apply @is_derive_id.
    - unfold minus, plus, opp, zero; simpl.
      replace (k * (b * Rpower x b / x)) with (b * (k * Rpower x b) / x) by (field; lra).
      rewrite E. field. lra. }
  apply is_derive_Reals in D.
  assert (N : 0 < (b * c + (b - 1) * l * x) / x) by (apply Rdiv_lt_0_compat; lra).
  destruct (D _ N) as [[d Hd] G]. simpl in G.
  assert (Hh : d / 2 <> 0) by lra.
  assert (Ha : Rabs (d / 2) < d) by (rewrite Rabs_right by lra; lra).
  specialize (G (d / 2) Hh Ha). apply Rabs_def2 in G. destruct G as [_ G].
  assert (Hy : x < x + d / 2) by lra. specialize (F (x + d / 2) Hy).
  assert (S : 0 < (k * Rpower (x + d / 2) b - c - l * (x + d / 2) - (k * Rpower x b - c - l * x)) / (d / 2)) by lra.
  assert (U : 0 < - (k * Rpower (x + d / 2) b - c - l * (x + d / 2) - (k * Rpower x b - c - l * x)) / (d / 2)).
  { apply Rdiv_lt_0_compat; lra. }
  unfold Rdiv in *. lra.
Qed.

(* Existence of roots. *)

Lemma trinomial_continuous : forall k c l b x, 0 < x ->
  continuity_pt (fun t => k * Rpower t b - (c + l * t)) x.
Proof.
  intros k c l b x Hx. apply derivable_continuous_pt.
  assert (D : is_derive (fun t => k * Rpower t b - (c + l * t)) x (k * (b * Rpower x b / x) - l)).
  { unfold Rpower. auto_derive; [assumption | field; lra]. }
  exists (k * (b * Rpower x b / x) - l). apply is_derive_Reals. exact D.
Qed.

Lemma stays_negative : forall f x, continuity_pt f x -> f x < 0 ->
  exists d, 0 < d /\ forall y, Rabs (y - x) < d -> f y < 0.
Proof.
  intros f x H N. destruct (H (- f x)) as [d [Hd G]]; [lra |]. exists d. split; [exact Hd |].
  intros y Hy. destruct (Req_dec x y) as [E | E]; [subst; exact N |].
  assert (K : Rabs (f y - f x) < - f x).
  { apply G. split; [split; [exact I | exact E] | exact Hy]. }
  apply Rabs_def2 in K. lra.
Qed.

Lemma stays_positive : forall f x, continuity_pt f x -> 0 < f x ->
  exists d, 0 < d /\ forall y, Rabs (y - x) < d -> 0 < f y.
Proof.
  intros f x H N. destruct (H (f x)) as [d [Hd G]]; [lra |]. exists d. split; [exact Hd |].
  intros y Hy. destruct (Req_dec x y) as [E | E]; [subst; exact N |].
  assert (K : Rabs (f y - f x) < f x).
  { apply G. split; [split; [exact I | exact E] | exact Hy]. }
  apply Rabs_def2 in K. lra.
Qed.

Lemma first_zero : forall f a z, 0 < a ->
  (forall y, 0 < y -> y <= a -> f y < 0) -> 0 < z -> 0 <= f z ->
  (forall y, 0 < y -> continuity_pt f y) ->
  exists x, 0 < x /\ f x = 0 /\ forall y, 0 < y -> y < x -> f y < 0.
Proof.
  intros f a z Ha Na Hz Pz Cf.
  assert (Haz : a < z).
  { destruct (Rlt_le_dec a z) as [H | H]; [exact H |]. specialize (Na z Hz H). lra. }
  set (E := fun x : R => 0 < x /\ x <= z /\ forall y, 0 < y -> y <= x -> f y < 0).
  destruct (completeness E) as [m [Um Lm]].
  - exists z. intros x [_ [H _]]. exact H.
  - exists a. split; [exact Ha |]. split; [lra | exact Na].
  - assert (Ea : E a) by (split; [exact Ha |]; split; [lra | exact Na]).
    assert (Hm : a <= m) by (apply Um; exact Ea).
    assert (Hmz : m <= z) by (apply Lm; intros x [_ [H _]]; exact H).
    assert (B : forall y, 0 < y -> y < m -> f y < 0).
    { intros y Hy Hym. destruct (Rlt_le_dec (f y) 0) as [H | H]; [exact H | exfalso].
      assert (U : m <= y).
      { apply Lm. intros x [Hx [_ Nx]]. destruct (Rle_lt_dec x y) as [K | K]; [exact K |].
        specialize (Nx y Hy (Rlt_le _ _ K)). lra. }
      lra. }
    exists m. split; [lra |]. split; [| exact B].
    destruct (Rtotal_order (f m) 0) as [H | [H | H]]; [exfalso | exact H | exfalso].
    + assert (Hlt : m < z).
      { destruct Hmz as [K | K]; [exact K | subst m; lra]. }
      destruct (stays_negative f m (Cf m ltac:(lra)) H) as [d [Hd G]].
      set (w := m + Rmin (d / 2) (z - m)).
      assert (M1 := Rmin_l (d / 2) (z - m)). assert (M2 := Rmin_r (d / 2) (z - m)).
      assert (M3 : 0 < Rmin (d / 2) (z - m)) by (apply Rmin_glb_lt; lra).
      assert (Ew : E w).
      { unfold w. split; [lra |]. split; [lra |]. intros y Hy Hyw.
        destruct (Rlt_le_dec y m) as [K | K]; [apply B; assumption |].
        apply G. rewrite Rabs_right; lra. }
      specialize (Um w Ew). unfold w in Um. lra.
    + destruct (stays_positive f m (Cf m ltac:(lra)) H) as [d [Hd G]].
      assert (M1 := Rmin_l (d / 2) (m / 2)). assert (M2 := Rmin_r (d / 2) (m / 2)).
      assert (M3 : 0 < Rmin (d / 2) (m / 2)) by (apply Rmin_glb_lt; lra).
      assert (K : 0 < f (m - Rmin (d / 2) (m / 2))).
      { apply G. rewrite Rabs_left; lra. }
      assert (J : f (m - Rmin (d / 2) (m / 2)) < 0) by (apply B; lra).
      lra.
Qed.

Lemma last_zero : forall f z n, 0 < z -> 0 <= f z -> (forall y, n < y -> f y < 0) ->
  (forall y, 0 < y -> continuity_pt f y) ->
  exists x, 0 < x /\ f x = 0 /\ forall y, x < y -> f y < 0.
Proof.
  intros f z n Hz Pz Nn Cf.
  set (E := fun x : R => 0 <= f x).
  destruct (completeness E) as [m [Um Lm]].
  - exists n. intros x Hx. destruct (Rle_lt_dec x n) as [H | H]; [exact H |].
    specialize (Nn x H). unfold E in Hx. lra.
  - exists z. exact Pz.
  - assert (Hm : z <= m) by (apply Um; exact Pz).
    assert (B : forall y, m < y -> f y < 0).
    { intros y Hy. destruct (Rlt_le_dec (f y) 0) as [H | H]; [exact H |]. specialize (Um y H). lra. }
    exists m. split; [lra |]. split; [| exact B].
    destruct (Rtotal_order (f m) 0) as [H | [H | H]]; [exfalso | exact H | exfalso].
    + destruct (stays_negative f m (Cf m ltac:(lra)) H) as [d [Hd G]].
      assert (U : m <= m - d / 2).
      { apply Lm. intros x Hx. destruct (Rle_lt_dec x (m - d / 2)) as [K | K]; [exact K | exfalso].
        assert (x <= m) by (apply Um; exact Hx).
        assert (f x < 0) by (apply G; apply Rabs_def1; lra). unfold E in Hx. lra. }
      lra.
    + destruct (stays_positive f m (Cf m ltac:(lra)) H) as [d [Hd G]].
      assert (K : 0 < f (m + d / 2)) by (apply G; rewrite Rabs_right; lra).
      assert (J : f (m + d / 2) < 0) by (apply B; lra). lra.
Qed.

(* A point at which the power reaches the line is enough where it starts below. *)
Lemma lower_root_before : forall k c l b z, 0 < k -> 0 < c -> 0 <= l -> 0 < b -> 0 < z ->
  c + l * z <= k * Rpower z b -> exists root, lower_root k c l b root.
Proof.
  intros k c l b z Hk Hc Hl Hb Hz H.
  assert (Q : 0 < c / k) by (apply Rdiv_lt_0_compat; assumption).
  set (a := Rpower (c / k) (/ b)).
  assert (Pa : 0 < a) by apply Rpower_pos.
  assert (Ea : Rpower a b = c / k).
  { unfold a. rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
  destruct (first_zero (fun t => k * Rpower t b - (c + l * t)) (a / 2) z) as [x [Hx [Ex Bx]]].
  - lra.
  - intros y Hy Hya. assert (L : Rpower y b < c / k) by (rewrite <- Ea; apply Rpower_base_lt; lra).
    apply (Rmult_lt_compat_l k) in L; [| assumption].
    replace (k * (c / k)) with c in L by (field; lra). nra.
  - exact Hz.
  - lra.
  - intros y Hy. apply trinomial_continuous. exact Hy.
  - exists x. split; [exact Hx |]. split; [lra |]. intros y Hy Hyx. specialize (Bx y Hy Hyx). lra.
Qed.

Lemma lower_root_superlinear : forall k c l b, 0 < k -> 0 <= c -> 0 <= l -> 0 < c + l -> 1 < b ->
  exists root, lower_root k c l b root.
Proof.
  intros k c l b Hk Hc Hl Hcl Hb.
  assert (S : forall x, 0 < x -> Rpower x b = Rpower x (b - 1) * x).
  { intros x Hx. rewrite power_minus_one by assumption. field. lra. }
  assert (Hi : 0 < / (b - 1)) by (apply Rinv_0_lt_compat; lra).
  assert (Up : exists z, 0 < z /\ c + l * z <= k * Rpower z b).
  { assert (Q : 0 < (c + l) / k) by (apply Rdiv_lt_0_compat; assumption).
    set (w := Rpower ((c + l) / k) (/ (b - 1))).
    assert (Pw : 0 < w) by apply Rpower_pos.
    assert (Ew : Rpower w (b - 1) = (c + l) / k).
    { unfold w. rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
    exists (Rmax 1 w). assert (M1 := Rmax_l 1 w). assert (M2 := Rmax_r 1 w). split; [lra |].
    rewrite S by lra.
    assert (L : (c + l) / k <= Rpower (Rmax 1 w) (b - 1)).
    { rewrite <- Ew. destruct M2 as [M2 | M2].
      - left. apply Rpower_base_lt; lra.
      - right. f_equal. exact M2. }
    assert (K : c + l <= k * Rpower (Rmax 1 w) (b - 1)).
    { apply (Rmult_le_compat_l k) in L; [| lra].
      replace (k * ((c + l) / k)) with (c + l) in L by (field; lra). exact L. }
    nra. }
  destruct Up as [z [Hz Pz]].
  destruct Hc as [Hc | Hc]; [apply (lower_root_before k c l b z); lra | subst c].
  assert (Q : 0 < l / k) by (apply Rdiv_lt_0_compat; lra).
  set (a := Rpower (l / k) (/ (b - 1))).
  assert (Pa : 0 < a) by apply Rpower_pos.
  assert (Ea : Rpower a (b - 1) = l / k).
  { unfold a. rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
  destruct (first_zero (fun t => k * Rpower t b - (0 + l * t)) (a / 2) z) as [x [Hx [Ex Bx]]].
  - lra.
  - intros y Hy Hya. rewrite S by assumption.
    assert (L : Rpower y (b - 1) < l / k) by (rewrite <- Ea; apply Rpower_base_lt; lra).
    apply (Rmult_lt_compat_l k) in L; [| assumption].
    replace (k * (l / k)) with l in L by (field; lra). nra.
  - exact Hz.
  - lra.
  - intros y Hy. apply trinomial_continuous. exact Hy.
  - exists x. split; [exact Hx |]. split; [lra |]. intros y Hy Hyx. specialize (Bx y Hy Hyx). lra.
Qed.

Lemma lower_root_linear : forall k c l b, b = 1 -> l < k -> 0 < c ->
  exists root, lower_root k c l b root.
Proof.
  intros k c l b Hb Hk Hc. subst b.
  assert (P : 0 < c / (k - l)) by (apply Rdiv_lt_0_compat; lra).
  exists (c / (k - l)). split; [exact P |]. split.
  - rewrite Rpower_1 by assumption. field. lra.
  - intros y Hy H. rewrite Rpower_1 by assumption.
    apply (Rmult_lt_compat_r (k - l)) in H; [| lra].
    replace (c / (k - l) * (k - l)) with c in H by (field; lra). lra.
Qed.

Lemma no_lower_root_linear : forall k c l b,
  ~ (exists root, lower_root k c l b root) -> b = 1 -> 0 < c -> k <= l.
Proof.
  intros k c l b H Hb Hc. destruct (Rle_lt_dec k l) as [K | K]; [exact K |].
  contradiction H. apply lower_root_linear; assumption.
Qed.

Lemma lower_root_level : forall k c l b, 0 < k -> 0 < c -> l = 0 -> 0 < b ->
  exists root, lower_root k c l b root.
Proof.
  intros k c l b Hk Hc Hl Hb. subst l.
  assert (Q : 0 < c / k) by (apply Rdiv_lt_0_compat; assumption).
  apply (lower_root_before k c 0 b (Rpower (c / k) (/ b))); try lra.
  - apply Rpower_pos.
  - rewrite Rpower_mult, Rinv_l by lra. rewrite Rpower_1 by assumption.
    replace (k * (c / k)) with c by (field; lra). lra.
Qed.

(* For exponents below 1 the power reaches the line at all if it does so at this point. *)
Lemma lower_root_sublinear : forall k c l b, 0 < k -> 0 < c -> 0 < l -> 0 < b -> b < 1 ->
  c * Rpower l b <= k * Rpower b b * Rpower (1 - b) (1 - b) * Rpower c b ->
  exists root, lower_root k c l b root.
Proof.
  intros k c l b Hk Hc Hl Hb H1 H.
  assert (Q : 0 < b * c / (l * (1 - b))).
  { apply Rdiv_lt_0_compat; apply Rmult_lt_0_compat; lra. }
  apply (lower_root_before k c l b (b * c / (l * (1 - b)))); try lra.
  rewrite Rpower_quotient, !Rpower_product by (try apply Rmult_lt_0_compat; lra).
  rewrite Rpower_difference, Rpower_1 in H by lra.
  set (Pb := Rpower b b) in *. set (Pc := Rpower c b) in *. set (Pl := Rpower l b) in *.
  set (Pm := Rpower (1 - b) b) in *.
  assert (0 < Pl) by apply Rpower_pos. assert (0 < Pm) by apply Rpower_pos.
  replace (c + l * (b * c / (l * (1 - b)))) with (c * Pl / (Pl * (1 - b))) by (field; lra).
  replace (k * (Pb * Pc / (Pl * Pm))) with (k * Pb * ((1 - b) / Pm) * Pc / (Pl * (1 - b)))
    by (field; lra).
  apply Rmult_le_compat_r; [| exact H].
  left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra.
Qed.

Lemma upper_root_after : forall k c l b z, 0 < k -> 0 <= c -> 0 < l -> 0 < b -> b < 1 -> 0 < z ->
  c + l * z <= k * Rpower z b -> exists root, upper_root k c l b root.
Proof.
  intros k c l b z Hk Hc Hl Hb H1 Hz H.
  assert (S : forall x, 0 < x -> Rpower x b * Rpower x (1 - b) = x).
  { intros x Hx. rewrite <- Rpower_plus. replace (b + (1 - b)) with 1 by ring.
    apply Rpower_1. assumption. }
  assert (Q : 0 < k / l) by (apply Rdiv_lt_0_compat; assumption).
  assert (Hi : 0 < / (1 - b)) by (apply Rinv_0_lt_compat; lra).
  set (n := Rpower (k / l) (/ (1 - b))).
  assert (Pn : 0 < n) by apply Rpower_pos.
  assert (En : Rpower n (1 - b) = k / l).
  { unfold n. rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
  destruct (last_zero (fun t => k * Rpower t b - (c + l * t)) z n) as [x [Hx [Ex Bx]]].
  - exact Hz.
  - lra.
  - intros y Hy. assert (L : k / l < Rpower y (1 - b)) by (rewrite <- En; apply Rpower_base_lt; lra).
    apply (Rmult_lt_compat_l l) in L; [| assumption].
    replace (l * (k / l)) with k in L by (field; lra).
    assert (P : 0 < Rpower y b) by apply Rpower_pos.
    assert (Sy := S y ltac:(lra)). nra.
  - intros y Hy. apply trinomial_continuous. exact Hy.
  - exists x. split; [exact Hx |]. split; [lra |]. intros y Hy. specialize (Bx y Hy). lra.
Qed.

Lemma upper_root_from_zero : forall k c l b, 0 < k -> c = 0 -> 0 < l -> 0 < b -> b < 1 ->
  exists root, upper_root k c l b root.
Proof.
  intros k c l b Hk Hc Hl Hb H1. subst c.
  assert (Q : 0 < k / l) by (apply Rdiv_lt_0_compat; assumption).
  set (n := Rpower (k / l) (/ (1 - b))).
  assert (Pn : 0 < n) by apply Rpower_pos.
  assert (En : Rpower n (1 - b) = k / l).
  { unfold n. rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
  apply (upper_root_after k 0 l b n); try lra.
  assert (S : Rpower n b * Rpower n (1 - b) = n).
  { rewrite <- Rpower_plus. replace (b + (1 - b)) with 1 by ring. apply Rpower_1. assumption. }
  assert (Ek : k = l * Rpower n (1 - b)) by (rewrite En; field; lra).
  assert (E2 : k * Rpower n b = l * n).
  { rewrite Ek. rewrite <- S at 3. ring. }
  lra.
Qed.

(* Where the power reaches the line at all, it does so at the highest point of their quotient. *)
Lemma reached_sublinear : forall k c l b x, 0 < k -> 0 < c -> 0 < l -> 0 < b -> b < 1 -> 0 < x ->
  c + l * x <= k * Rpower x b ->
  c * Rpower l b <= k * Rpower b b * Rpower (1 - b) (1 - b) * Rpower c b.
Proof.
  intros k c l b x Hk Hc Hl Hb H1 Hx H.
  set (y := b * c / (l * (1 - b))).
  assert (Q : 0 < y).
  { unfold y. apply Rdiv_lt_0_compat; apply Rmult_lt_0_compat; lra. }
  assert (T : Rpower x b * y <= Rpower y b * (y + b * (x - y))).
  { destruct (Req_dec x y) as [E | N]; [rewrite E; right; ring |].
    left. apply power_tangent_down; assumption. }
  assert (Y : y + b * (x - y) = b / l * (c + l * x)) by (unfold y; field; lra).
  rewrite Y in T.
  assert (Py : 0 < Rpower y b) by apply Rpower_pos.
  assert (S : 0 < c + l * x) by nra.
  assert (K : (c + l * x) * y <= k * Rpower y b * (b / l) * (c + l * x)).
  { apply (Rle_trans _ (k * Rpower x b * y)).
    - apply Rmult_le_compat_r; lra.
    - apply (Rmult_le_compat_l k) in T; [| lra]. lra. }
  assert (J : y <= k * Rpower y b * (b / l)).
  { apply (Rmult_le_reg_r (c + l * x)); [exact S | lra]. }
  assert (Yb : Rpower y b = Rpower b b * Rpower c b / (Rpower l b * Rpower (1 - b) b)).
  { unfold y. rewrite Rpower_quotient, !Rpower_product by (try apply Rmult_lt_0_compat; lra).
    reflexivity. }
  rewrite Yb in J. rewrite Rpower_difference, Rpower_1 by lra.
  set (Pb := Rpower b b) in *. set (Pc := Rpower c b) in *. set (Pl := Rpower l b) in *.
  set (Pm := Rpower (1 - b) b) in *.
  assert (0 < Pl) by apply Rpower_pos. assert (0 < Pm) by apply Rpower_pos.
  assert (M : 0 < l * (1 - b) * Pl / b).
  { apply Rdiv_lt_0_compat; [| assumption]. apply Rmult_lt_0_compat; [| assumption].
    apply Rmult_lt_0_compat; lra. }
  apply (Rmult_le_compat_r (l * (1 - b) * Pl / b)) in J; [| lra].
  replace (y * (l * (1 - b) * Pl / b)) with (c * Pl) in J by (unfold y; field; lra).
  replace (k * (Pb * Pc / (Pl * Pm)) * (b / l) * (l * (1 - b) * Pl / b))
    with (k * Pb * ((1 - b) / Pm) * Pc) in J by (field; lra).
  exact J.
Qed.

(* A root between two points, by the values there: of use where all of them are numbers. *)
Lemma lower_root_below : forall k c l b z x, lower_root k c l b x -> 0 < z ->
  c + l * z < k * Rpower z b -> x < z.
Proof.
  intros k c l b z x [Hx [E F]] Hz H. destruct (Rtotal_order x z) as [N | [N | N]]; [exact N | |].
  - subst z. lra.
  - specialize (F z Hz N). lra.
Qed.

Lemma upper_root_above : forall k c l b z x, upper_root k c l b x ->
  c + l * z < k * Rpower z b -> z < x.
Proof.
  intros k c l b z x [Hx [E F]] H. destruct (Rtotal_order x z) as [N | [N | N]]; [| | exact N].
  - specialize (F z N). lra.
  - subst z. lra.
Qed.

(* Before a lower root, and beyond an upper one, the power is below the line: so a comparison of a
   multiple of a root with anything says something of the values there. *)
Lemma before_lower_root : forall k c l b x s y v z, lower_root k c l b x -> y < v -> 0 < s -> 0 < z ->
  z * s = y -> x * s = v -> k * Rpower z b < c + l * z.
Proof.
  intros k c l b x s y v z [_ [_ F]] H Hs Hz <- <-. apply F; [exact Hz |].
  apply (Rmult_lt_reg_r s); assumption.
Qed.

Lemma up_to_lower_root : forall k c l b x s y v z, lower_root k c l b x -> y <= v -> 0 < s -> 0 < z ->
  z * s = y -> x * s = v -> k * Rpower z b <= c + l * z.
Proof.
  intros k c l b x s y v z R [H | H] Hs Hz <- <-.
  - left. apply (before_lower_root k c l b x s (z * s) (x * s) z); trivial.
  - right. destruct R as [_ [R _]]. apply Rmult_eq_reg_r in H; [subst z; exact R | lra].
Qed.

Lemma beyond_upper_root : forall k c l b x s y v z, upper_root k c l b x -> v < y -> 0 < s -> 0 < z ->
  z * s = y -> x * s = v -> k * Rpower z b < c + l * z.
Proof.
  intros k c l b x s y v z [_ [_ F]] H Hs Hz <- <-. apply F.
  apply (Rmult_lt_reg_r s); assumption.
Qed.

Lemma from_upper_root : forall k c l b x s y v z, upper_root k c l b x -> v <= y -> 0 < s -> 0 < z ->
  z * s = y -> x * s = v -> k * Rpower z b <= c + l * z.
Proof.
  intros k c l b x s y v z R [H | H] Hs Hz <- <-.
  - left. apply (beyond_upper_root k c l b x s (z * s) (x * s) z); trivial.
  - right. destruct R as [_ [R _]]. apply Rmult_eq_reg_r in H; [subst z; exact R | lra].
Qed.

Lemma lower_root_above_linear : forall k c l b z x, lower_root k c l b x -> 0 < k -> 0 <= c ->
  1 <= b -> 0 < z -> k * Rpower z b < c + l * z -> z < x.
Proof.
  intros k c l b z x [Hx [E F]] Hk Hc Hb Hz H.
  destruct (Rtotal_order x z) as [N | [N | N]]; [| subst z; lra | exact N]. exfalso.
  assert (S : Rpower x b * z <= Rpower z b * x).
  { destruct Hb as [Hb | Hb].
    - destruct (power_slope x z b Hx Hz Hb) as [[_ S] | [[S _] | [S _]]]; lra.
    - subst b. rewrite !Rpower_1 by assumption. lra. }
  apply (Rmult_le_compat_l k) in S; [| lra]. rewrite <- !Rmult_assoc, E in S.
  apply (Rmult_lt_compat_r x) in H; [| exact Hx].
  assert (c * x <= c * z) by (apply Rmult_le_compat_l; lra). nra.
Qed.

Lemma lower_root_above_rising : forall k c l b z x, lower_root k c l b x -> 0 < k -> 0 < b ->
  b < 1 -> 0 < z -> l * z <= b * k * Rpower z b -> k * Rpower z b < c + l * z -> z < x.
Proof.
  intros k c l b z x [Hx [E F]] Hk Hb H1 Hz R H.
  destruct (Rtotal_order x z) as [N | [N | N]]; [| subst z; lra | exact N]. exfalso.
  assert (T : Rpower x b * z < Rpower z b * (z + b * (x - z)))
    by (apply power_tangent_down; [assumption.. | lra]).
  apply (Rmult_lt_compat_l k) in T; [| exact Hk].
  rewrite <- !Rmult_assoc, E in T.
  apply (Rmult_lt_compat_r z) in H; [| exact Hz].
  assert (l * z * (z - x) <= b * k * Rpower z b * (z - x)) by (apply Rmult_le_compat_r; lra).
  nra.
Qed.

Lemma upper_root_below_falling : forall k c l b z x, upper_root k c l b x -> 0 < k -> 0 < b ->
  b < 1 -> 0 < z -> b * k * Rpower z b <= l * z -> k * Rpower z b < c + l * z -> x < z.
Proof.
  intros k c l b z x [Hx [E F]] Hk Hb H1 Hz R H.
  destruct (Rtotal_order x z) as [N | [N | N]]; [exact N | subst z; lra |]. exfalso.
  assert (T : Rpower x b * z < Rpower z b * (z + b * (x - z)))
    by (apply power_tangent_down; [assumption.. | lra]).
  apply (Rmult_lt_compat_l k) in T; [| exact Hk].
  rewrite <- !Rmult_assoc, E in T.
  apply (Rmult_lt_compat_r z) in H; [| exact Hz].
  assert (b * k * Rpower z b * (x - z) <= l * z * (x - z)) by (apply Rmult_le_compat_r; lra).
  nra.
Qed.

Lemma no_lower_root : forall k c l b x, lower_root k c l b x -> 0 < k -> 0 < c -> 0 < l -> 0 < b ->
  b < 1 -> k * Rpower b b * Rpower (1 - b) (1 - b) * Rpower c b < c * Rpower l b -> False.
Proof.
  intros k c l b x [Hx [E F]] Hk Hc Hl Hb H1 H.
  assert (c * Rpower l b <= k * Rpower b b * Rpower (1 - b) (1 - b) * Rpower c b); [| lra].
  apply (reached_sublinear k c l b x); try assumption. lra.
Qed.
